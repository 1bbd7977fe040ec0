import { describe, expect, it } from "vitest"
import { createSendOnce } from "./send-once.ts"

const request = (method: string) => ({ method: "POST", body: JSON.stringify({ jsonrpc: "2.0", id: 1, method }) })

type Way = "streamed" | "whole"

/** Sends these methods to a server that answers with a status, or null where Chrome fails; gives how each was sent. */
async function ways(
  methods: readonly string[],
  statusOf: (way: Way, method: string) => number | null,
  url = "https://tracker.example/mcp",
) {
  const seen: string[] = []
  const send = createSendOnce(async (_, init = {}) => {
    const way = typeof init.body === "string" ? "whole" : "streamed"
    const { method } = JSON.parse(await new Response(init.body ?? null).text()) as { readonly method: string }
    seen.push(`${way} ${method}`)
    const status = statusOf(way, method)
    if (status === null) throw new TypeError("Failed to fetch")
    return new Response("{}", { status })
  })
  for (const method of methods) await send(url, request(method)).catch(() => undefined)
  return seen
}

const usual = ["initialize", "tools/list", "tools/call"]

describe("a call", () => {
  it("I1: is streamed to a server that takes streams", async () => {
    expect(await ways(usual, () => 200)).toEqual(["streamed initialize", "streamed tools/list", "streamed tools/call"])
  })

  it("I1: is streamed where the first requests were refused in either way", async () => {
    const statusOf = (_: Way, method: string) => (method === "server/discover" ? 404 : 200)
    expect((await ways(["server/discover", ...usual], statusOf)).at(-1)).toBe("streamed tools/call")
  })

  it.each([null, 400, 411])("I2: goes whole to a server at which streams end in %s", async (status) => {
    expect(await ways(usual, (way) => (way === "streamed" ? status : 200))).toEqual([
      "streamed initialize",
      "whole initialize",
      "whole tools/list",
      "whole tools/call",
    ])
  })

  it("I1: is handed over once, whatever comes of it, and whatever is known", async () => {
    const statusOf = (_: Way, method: string) => (method === "tools/call" ? null : 200)
    expect((await ways([...usual, "tools/list"], statusOf)).filter((each) => each.endsWith("tools/call"))).toHaveLength(
      1,
    )
    expect(await ways(["tools/call"], () => null)).toEqual(["streamed tools/call"])
  })

  it("goes whole where there is no TLS, and so no HTTP/2", async () => {
    expect(await ways(usual, () => 200, "http://127.0.0.1:3001/mcp")).toEqual(usual.map((method) => `whole ${method}`))
  })
})
