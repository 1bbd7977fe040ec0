import type { IncomingHttpHeaders } from "node:http"

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i

/** The headers that proxies and tunnels add. None of them makes a request local; any of them says that the request came from elsewhere. */
const passedOn = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-server",
  "x-original-host",
  "x-real-ip",
  "x-client-ip",
  "true-client-ip",
  "cf-connecting-ip",
  "ngrok-trace-id",
  "tailscale-user-login",
] as const

/** Whether a program of this machine sent it: it asks for loopback by name, and nothing shows that it was passed on. */
export function isLocalRequest(headers: Readonly<IncomingHttpHeaders>): boolean {
  return loopbackHost.test(headers.host ?? "") && passedOn.every((name) => headers[name] === undefined)
}
