import { expect, it } from "vitest"
import { isLocalRequest } from "./is-local-request.ts"

it("a request that asks for loopback by name is of this machine", () => {
  expect(isLocalRequest({ host: "127.0.0.1:7337" })).toBe(true)
  expect(isLocalRequest({ host: "evil.example" })).toBe(false)
})

it.each(["x-forwarded-for", "cf-connecting-ip", "ngrok-trace-id", "tailscale-user-login"])(
  "a request with %s came from elsewhere",
  (name) => {
    expect(isLocalRequest({ host: "127.0.0.1:7337", [name]: "x" })).toBe(false)
  },
)
