import { describe, expect, it } from "vitest"
import { openPageRoutes } from "./page-routes.ts"

const address = "http://127.0.0.1:7337"
const door = openPageRoutes({ refused: () => null, addresses: () => new Set([address]), address: () => address })
const ask = (url: string) => door(new Request(url))

describe("the page at another name of this machine", () => {
  it("is sent to its one address, path and all", () => {
    const sent = ask("http://localhost:7337/activity?text=a")
    expect(sent?.status).toBe(307)
    expect(sent?.headers.get("location")).toBe(`${address}/activity?text=a`)
  })

  it.each([
    "//evil.example/x",
    "///evil.example/x",
    "/\\\\evil.example/x",
    "//evil.example:7337/",
    "//user@evil.example/x",
  ])("I3: sends nobody elsewhere by the path %s", (path) => {
    const location = ask(`http://localhost:7337${path}`)?.headers.get("location")
    if (location !== null && location !== undefined) expect(new URL(location).origin).toBe(address)
  })

  it("I3: has such paths, and keeps them", () => {
    expect(ask("http://localhost:7337//evil.example/x")?.headers.get("location")).toBe(`${address}//evil.example/x`)
  })
})
