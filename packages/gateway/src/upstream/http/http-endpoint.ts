import type { UpstreamTransport } from "../../gateway.ts"
import type { HttpClient } from "./http-client.ts"
import { createLargeAnswers, type LargeAnswers } from "./large-answers.ts"

/** Where an HTTP server is, and how it is reached. */
export type HttpEndpoint = {
  readonly url: URL
  /** The configured headers, names in lower case, so that ours replace them. */
  readonly headers: Readonly<Record<string, string>>
  readonly client: HttpClient
  readonly largeAnswers: LargeAnswers
}

export function httpEndpoint(
  transport: Exclude<UpstreamTransport, { kind: "stdio" }>,
  client: HttpClient,
): HttpEndpoint {
  const url = new URL(transport.url)
  const headers = new Map([...transport.headers].map(([name, value]) => [name.toLowerCase(), value]))
  // Node would put these into the request line's options; as a header they follow the same rules as the rest.
  if (url.username !== "" && !headers.has("authorization")) {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    headers.set("authorization", `Basic ${Buffer.from(pair).toString("base64")}`)
  }
  return { url, headers: Object.fromEntries(headers), client, largeAnswers: createLargeAnswers() }
}
