import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { growthOf } from "../../../../../test/growth-of.ts"
import { mostWork } from "../conditions/judging-work.ts"
import { namesPlace } from "./names-place.ts"

const asks = (target: string) => namesPlace("urls", { target }, new Set(), { workLeft: Number.POSITIVE_INFINITY })

describe("namesHost", () => {
  it.each([
    "evil.example.com/x?d=secret",
    "evil.com:443/x",
    "evil.com./x",
    "metadata.google.internal/x",
    "localhost/x",
    "localhost:80/x",
    "127.0.0.1:7337/api",
    "127.1/x",
    "10.0.0.0/8",
    "0x7f.0.0.1/x",
    "[::1]/x",
    "[::1]:80/x",
    "::1/x",
    "[fe80::1%25eth0]/x",
    "fe80::1%eth0",
    "user@evil.com/x",
    "user:pw@evil.com",
    "user:p/w@evil.com",
    "u@[::1]:80",
    "git@evil.com:r/x",
    "tcp:evil.com",
    "tcp:[::1]:80",
    "jdbc:oracle:evil.com:1521",
    "evil.com\\x",
    "/\\evil.com",
    "see //evil.com/x",
    "evil.com|x",
    "x|evil.com",
    "evil.com&x",
    "[evil.com]",
    "!x.evil.com/x",
    "docs.old/readme",
  ])("I1: %j names a host", (target) => {
    expect(asks(target)).toBe(true)
  })

  it.each([
    "пример.рф/x",
    "उदाहरण.भारत/x",
    "i❤.ws",
    "evil。com/x",
    "ｅｖｉｌ．ｃｏｍ／ｘ",
    "evil.c\u00adom",
    "evil.\u200bcom",
    "evil.\ufeffcom",
    "local\u00adhost",
    "evil%2ecom",
    "evil%252ecom",
    "evil.com%2fx",
    "user%40evil.com%2fx%zz",
    "evil%E3%80%82com",
    "%C2%ADevil.c%C2%ADom",
    "https%3A%2F%2Fevil",
    "e\tvil.com/x",
    "e\nvil.com/x",
    "ht\ntps:evil",
    `evil.com/x?d=${"many words ".repeat(50)}`,
    `evil.com/x%20${"y".repeat(300)}`,
    "evil.com\nand more",
  ])("I1: %j names a host as servers may read it", (target) => {
    expect(asks(target)).toBe(true)
  })

  it.each([
    "0177.0.0.1",
    "0251.0376.0251.0376",
    "0169.0254.0169.0254",
    "08.8.8.8",
    "00.0.0.1",
    "0251.254.43518",
    "0169.254.43518",
    "0251.16689406",
    "017700000001",
    "0177.1/x",
    "169.0xfea9fe",
    "0x7f000001",
    "１２７.0.0.1",
    "::ffff:127.0.0.1",
    "1:2:3:4:5:6:7:8",
  ])("I2: %j names an address", (target) => {
    expect(asks(target)).toBe(true)
  })

  it.each([
    "a/b",
    "and/or",
    "e.g.",
    "e.g./i.e.",
    "src/index.ts",
    "src/index.ts:12",
    "./docs.old/readme",
    "../notes.old/x",
    ".github/workflows/ci.yml",
    "/srv/notes.old/x",
    "~/x.com",
    "C:\\Users\\x",
    "app/[locale]/page.tsx",
    "pages/[...slug].tsx",
    "package.json",
    "node_modules/@types/node",
    "@scope/name",
    "actions/checkout@v4",
    "nginx:1.25.3-alpine",
    "repo:owner/name is:open",
    "3.14",
    "3.012",
    "1.5\n2.5",
    "2130706433",
    "00123",
    "1.2.3",
    "v1.2.3",
    "v1.2.3/notes",
    "120.0.6099.109",
    "01.02.2026",
    "10:30:05.012",
    "2026-01-31T10:30:00.012Z",
    "12:30:00",
    "16:9",
    "12/31",
    "1.50€",
    "50%",
    "R&D",
    "std::string",
    "_.map",
    "wait..what",
    "Line one.\nLine two.",
  ])("%j names none", (target) => {
    expect(asks(target)).toBe(false)
  })

  it("I1: what names a host does so with a user, a scheme, a port, a path or a query, percent-encoded and with invisible characters", () => {
    const label = fc.string({ unit: fc.constantFrom(..."abox0127-_.м。", "\u00ad", "%2e"), maxLength: 12 })
    const host = fc
      .oneof(
        fc.domain(),
        fc.ipV4(),
        fc.ipV4Extended(),
        fc.tuple(label, fc.constantFrom(..."abм1")).map(([a, b]) => a + b),
      )
      .filter(asks)
    const anyHost = fc.oneof(
      host,
      fc.ipV6().map((address) => `[${address}]`),
    )
    const before = fc.constantFrom("", "u@", "u:p@", "u:p/w@", "tcp:", "tcp:u@")
    const port = fc.constantFrom("", ":80", ":65535")
    const behind = fc.constantFrom("", "/", "/x", "/a.b/c.d", "?q=a b", "#x", "\\x", "|x", "&x", "/x@y", "/x:y")
    const coded = (text: string) => [...text].map(encodeURIComponent).join("").replaceAll(".", "%2E")
    fc.assert(
      fc.property(before, anyHost, port, behind, (...parts) => {
        const text = parts.join("")
        const hidden = [...text].join("\u200b")
        return [text, coded(text), `to ${text}`, hidden].every(asks)
      }),
    )
  })

  it.each([..."[]&@|:%/\\.01é\u00ad", "0x", "1.", "é.", "a.", "%25", "a\t", "a:", "::", "//", ",a.b"])(
    "I3: takes time linear in a text of %j",
    (piece) => {
      const text = piece.repeat(400_000 / piece.length)
      expect(growthOf((target) => asks(`${target}x`), text)).toBeLessThan(3)
    },
  )

  it.each(["%.bc:", "^.bc:", "%41.bc,", "!.bc|", "a "])(
    "asks about a long text of %j without looking for hosts in it",
    (text) => {
      const work = { workLeft: mostWork }
      expect(namesPlace("urls", { target: text.repeat(200_000) }, new Set(), work)).toBe(true)
      expect(work.workLeft).toBeGreaterThan(0)
    },
  )
})
