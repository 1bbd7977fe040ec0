import type { ServerView } from "@byleave/api"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { describe, expect, it } from "vitest"
import { waitingCall } from "../../verdict/fixtures/waiting-call.ts"
import { ServerTrust } from "./server-trust.tsx"

const health = { state: "up", era: null, lastConnectedAt: null, lastError: null, retryAt: null, links: 0 }
const files = { id: "files", transport: "stdio", target: "npx files", hasCredentials: false, trust: "none", health }

function drawn(reputation?: ServerView["reputation"]): string {
  const server = {
    ...files,
    stopped: false,
    ...(reputation === undefined ? {} : { reputation }),
  } as unknown as ServerView
  const html = renderToStaticMarkup(createElement(ServerTrust, { approval: waitingCall(), server, pin: null }))
  return html.replaceAll(/<\/?(span|bdi)[^>]*>/g, "")
}

describe("R144: what others say of a server, on the card of a call", () => {
  it("is quoted, with who signed it, and said to decide nothing", () => {
    const html = drawn({ state: "signed", by: "Example community", says: "Reads <b>more</b> than it says." })
    expect(html).toMatch(/<figcaption[^>]*>From a file signed with the key in your configuration<\/figcaption>/)
    expect(html).toMatch(/<blockquote[^>]*>.*Reads &lt;b&gt;more&lt;\/b&gt; than it says\..*<\/blockquote>/s)
    expect(html).toContain("Example community")
    expect(html).toContain("No rule takes this into account.")
  })

  it("cannot pass for our words: hidden characters are shown, and a long text is cut", () => {
    const html = drawn({ state: "signed", by: "x", says: `safe\u202e${"a".repeat(5_000)}` })
    expect(html).not.toContain("\u202e")
    expect(html.length).toBeLessThan(4_000)
  })

  it("is not shown where the file is not signed with the key, and the card says why", () => {
    expect(drawn({ state: "unusable", why: "servers.json is not a signed file." })).toContain(
      "Not shown. servers.json is not a signed file.",
    )
  })

  it("is not mentioned where there is none", () => {
    expect(drawn()).not.toContain("Reputation")
  })
})
