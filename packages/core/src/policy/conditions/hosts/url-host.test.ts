import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { paidAlone } from "../glob-condition.ts"
import { mostWork } from "../judging-work.ts"
import { compileHost } from "./host-condition.ts"
import { hostOf } from "./url-host.ts"

describe("hostOf", () => {
  it.each([
    ["https://example.com", "example.com"],
    ["HTTPS://Example.COM:8443/a?b#c", "example.com"],
    ["https://example.com./x", "example.com"],
    ["https://user:pw@example.com/x", "example.com"],
    ["https://user:p%40ss@example.com/x", "example.com"],
    ["https://good.com@evil.com", "evil.com"],
    ["https://good.com:80@evil.com", "evil.com"],
    ["https://evil.com#@good.com", "evil.com"],
    ["https://evil.com?@good.com", "evil.com"],
    ["https://evil.com/@good.com", "evil.com"],
    ["http://127.0.0.1:3000", "127.0.0.1"],
    ["http://localhost:", "localhost"],
    ["http://my_host-1", "my_host-1"],
    ["http://[::1]:80/", "::1"],
    ["http://[0:0:0:0:0:0:0:1]", "::1"],
    ["http://[2001:DB8:0:0:1:0:0:1]", "2001:db8::1:0:0:1"],
    ["https://xn--mnchen-3ya.de", "xn--mnchen-3ya.de"],
    ["https://münchen.de", "münchen.de"],
    ["git+ssh://git@host.org/x", "host.org"],
  ])("I2: %s has the host %s", (url, host) => {
    expect(hostOf(url)).toBe(host)
  })

  it.each([
    "",
    "example.com",
    "//example.com",
    "https:example.com",
    "https:/example.com",
    "https:///example.com",
    "https://",
    "https://good.com\\@evil.com",
    "https://good.com\\.evil.com",
    "https:\\\\evil.com",
    " https://example.com",
    "https://exa mple.com",
    "https://exa\tmple.com",
    "https://a@b@c",
    "https://exam%70le.com",
    "https://example..com",
    "https://example.com..",
    "https://.example.com",
    "https://example.com:80:80",
    "https://example.com:port",
    "http://2130706433",
    "http://0x7f.1",
    "http://127.1",
    "http://127.0.0.01",
    "http://256.0.0.1",
    "http://[::ffff:127.0.0.1]",
    "http://[::ffff:7f00:1]",
    "http://[::1%25eth0]",
    "http://[1:2:3]",
    "http://[::1]x",
    "http://[::1",
    "http://ex[ample.com",
    "javascript://good.com/%0aalert(1)",
    "file://host/etc/passwd",
    "data:text/plain,x",
  ])("I1: %j is in doubt", (url) => {
    expect(hostOf(url)).toBeNull()
  })

  it("I1: what it names is what the platform's own reader names, whatever is sent", () => {
    const piece = fc.constantFrom(
      "a",
      "b.com",
      ".",
      "@",
      ":",
      "80",
      "/",
      "\\",
      "?",
      "#",
      "[::1]",
      "%61",
      " ",
      "0x7f",
      "1",
      "é",
      "A",
      "\t",
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 7 }), (pieces) => {
        const url = `https://${pieces.join("")}`
        const host = hostOf(url)
        if (host === null || !/^\p{ASCII}*$/u.test(host) || !URL.canParse(url)) return
        expect(new URL(url).hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "")).toBe(host)
      }),
      { numRuns: 2_000 },
    )
  })
})

describe("compileHost", () => {
  it.each([
    { patterns: ["example.com"], url: "https://EXAMPLE.com./", allow: "holds", deny: "holds" },
    { patterns: ["Example.com."], url: "https://example.com", allow: "holds", deny: "holds" },
    { patterns: ["*.example.com"], url: "https://a.b.example.com", allow: "holds", deny: "holds" },
    { patterns: ["*.example.com"], url: "https://example.com", allow: "fails", deny: "fails" },
    { patterns: ["*.example.com"], url: "https://evil.com/.example.com", allow: "fails", deny: "fails" },
    { patterns: ["a.com", "b.com"], url: "https://b.com", allow: "holds", deny: "holds" },
    { patterns: ["[::1]"], url: "http://[0::1]", allow: "holds", deny: "holds" },
    { patterns: ["2001:db8:*"], url: "http://[2001:DB8:1::1]", allow: "holds", deny: "holds" },
    { patterns: ["münchen.de"], url: "https://münchen.de", allow: "unjudged", deny: "holds" },
    { patterns: ["münchen.de"], url: "https://xn--mnchen-3ya.de", allow: "holds", deny: "holds" },
    { patterns: ["*.münchen.de"], url: "https://a.xn--mnchen-3ya.de", allow: "holds", deny: "holds" },
    { patterns: ["evil.com"], url: "https://ｅvil.com", allow: "unjudged", deny: "unjudged" },
    { patterns: ["kelly.com"], url: "https://\u212aelly.com", allow: "unjudged", deny: "unjudged" },
    { patterns: ["localhost:3000"], url: "http://localhost:3000", allow: "unjudged", deny: "unjudged" },
    { patterns: ["https://a.com"], url: "https://a.com", allow: "unjudged", deny: "unjudged" },
    { patterns: [], url: "https://a.com", allow: "fails", deny: "fails" },
  ])("$patterns on $url: an allow $allow, a deny $deny", ({ patterns, url, allow, deny }) => {
    const short = (sure: boolean): string => {
      const judgement = compileHost(patterns, sure, paidAlone)(url, { workLeft: mostWork })
      return typeof judgement === "string" ? judgement : "unjudged"
    }
    expect(short(true)).toBe(allow)
    expect(short(false)).toBe(deny)
  })
})
