import { describe, expect, it } from "vitest"
import { inboxFile } from "./inbox-files.ts"

const ask = (path: string, init: RequestInit = {}): Response | null =>
  inboxFile(new Request(`http://127.0.0.1:7337${path}`, init))

describe("the page's files", () => {
  it.each(["/", "/sign-in", "/activity", "/activity/some-id", "/settings"])(
    "%s is the document, read anew each time",
    async (path) => {
      const response = ask(path)
      expect(response?.status).toBe(200)
      expect(response?.headers.get("content-type")).toContain("text/html")
      expect(response?.headers.get("cache-control")).toBe("no-cache")
      expect(await response?.text()).toContain('<div id="page">')
    },
  )

  it("assets are kept indefinitely, packed where the browser unpacks", async () => {
    const document = (await ask("/")?.text()) ?? ""
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(document)?.[1] ?? ""
    const packed = ask(script, { headers: { "accept-encoding": "gzip, br" } })
    expect(packed?.headers.get("content-encoding")).toBe("br")
    expect(packed?.headers.get("cache-control")).toContain("immutable")
    expect(ask(script)?.headers.get("content-encoding")).toBeNull()
  })

  it("many answers that nobody reads share one file in memory", async () => {
    const document = (await ask("/")?.text()) ?? ""
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(document)?.[1] ?? ""
    const begun = await Promise.all(Array.from({ length: 8 }, () => ask(script)?.body?.getReader().read()))
    expect(new Set(begun.map((read) => read?.value?.buffer)).size).toBe(1)
    expect(ask(script, { method: "HEAD" })?.headers.get("content-length")).toMatch(/^\d+$/)
  })

  it("the schema of byleave.yaml is there for editors", async () => {
    const response = ask("/byleave.schema.json")
    expect(response?.headers.get("content-type")).toBe("application/schema+json")
    expect(await response?.json()).toMatchObject({ title: "Byleave configuration", properties: { policy: {} } })
  })

  it.each([
    "/api/approvals",
    "/mcp",
    "/metrics",
    "/../package.json",
    "/assets/../index.html.br",
    "/assets/%2e%2e/byleave.js",
    "/assets/none.js",
    "/.env",
  ])("%s is not one of them", (path) => {
    const response = ask(path)
    expect(response === null || response.headers.get("content-type")?.includes("text/html")).toBe(true)
  })

  it("an address without a page is the document where a browser opens it, which says so, and nothing where a program asks", async () => {
    const opened = { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } }
    const response = ask("/nonsense", opened)
    expect(response?.status).toBe(404)
    expect(await response?.text()).toContain('<div id="page">')
    expect(ask("/nonsense", { headers: { accept: "*/*" } })).toBeNull()
    for (const path of ["/api/nonsense", "/mcp/nonsense", "/assets/none.js", "/metrics"])
      expect(ask(path, opened), path).toBeNull()
  })

  it("only looking is possible", () => {
    expect(ask("/", { method: "POST" })).toBeNull()
  })

  it("every answer forbids what a page could be misused for", () => {
    const headers = ask("/")?.headers
    expect(headers?.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self';/)
    expect(headers?.get("content-security-policy")).not.toMatch(/unsafe|\*|data:/)
    expect(headers?.get("x-content-type-options")).toBe("nosniff")
    expect(headers?.get("referrer-policy")).toBe("no-referrer")
  })
})
