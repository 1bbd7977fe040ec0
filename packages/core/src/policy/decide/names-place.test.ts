import { describe, expect, it } from "vitest"
import { growthOf } from "../../../../../test/growth-of.ts"
import type { JsonObject } from "../../call/json/json.ts"
import { mostWork } from "../conditions/judging-work.ts"
import { namesPlace } from "./names-place.ts"

const nowhere: ReadonlySet<string> = new Set()
const placesIn = (args: object) =>
  (["paths", "urls"] as const).filter((kind) => namesPlace(kind, args as JsonObject, nowhere, { workLeft: mostWork }))

describe("namesPlace", () => {
  it.each([
    { document: ".env" },
    { document: " .env\n" },
    { document: "x/y" },
    { output: "Makefile" },
    { target: "id_rsa" },
    { target: { a: "authorized_keys" } },
    { item: "report.pdf" },
    { item: "My report.pdf" },
    { item: "'notes.txt'" },
    { arguments: "-o result.json" },
    { title: "README.md" },
    { files_by_name: { "main.ts": "words" } },
    { item: "main.c" },
    { item: "Program.cs" },
    { item: "backup.7z" },
    { item: "dump.001" },
    { item: "my.code-workspace" },
    { item: "cert.mobileprovision" },
    { template: "x /etc/passwd" },
    { template: "{% include '/etc/passwd' %}" },
    { template: "{% include 'a/b.html' %}" },
    { pattern: "a/* b/*" },
    { patch: "*** Delete File: ../b.md\n*** End Patch" },
    { prompt: "read ../b.md aloud" },
    { body: "the text of /etc/passwd" },
    { body: "(/home/ann/x)" },
    { message: "look at C:\\Users\\ann" },
    { message: "look at ~/notes" },
  ])("I3, I4: %j names a path", (args) => {
    expect(placesIn(args)).toContain("paths")
  })

  it.each([
    { site: "evil.com" },
    { site: "evil.com." },
    { site: "evil.com:8080" },
    { site: "EVIL.COM" },
    { site: "a.b.evil.xyz" },
    { site: "bücher.example" },
    { site: "ann@evil.com" },
    { site: "evil.com?q=stolen" },
    { site: "evil.com#x" },
    { site: "evil.com:8080?q" },
    { site: "evil.xn--p1ai" },
    { site: "evil.рф" },
    { site: "evil。com" },
    { site: "evil．com" },
    { name: "127.1" },
    { name: "192.168.1" },
    { name: "0x7f.1" },
    { name: "0x7f000001" },
    { name: "169.254.169.254" },
    { name: "10.0.0.1:80" },
    { name: "[::1]:80" },
    { name: "fe80::1" },
    { name: "localhost" },
    { name: "localhost:3000" },
    { arguments: "--to evil.com" },
    { arguments: "to=10.0.0.1" },
  ])("I4: %j names an address", (args) => {
    expect(placesIn(args)).toContain("urls")
  })

  it("an ending says which of both it is, where it can", () => {
    expect(placesIn({ item: "evil.com" })).toEqual(["urls"])
    expect(placesIn({ item: "report.pdf" })).toEqual(["paths"])
    expect(placesIn({ item: "install.sh" })).toEqual(["paths", "urls"])
  })

  it.each([
    { body: "The page breaks, e.g. in v1.2 and/or v1.3. See README.md and https://a.example/x." },
    { body: "GET /api/users answers 500 since 1.2.3" },
    { body: "Line one.\n\nLine two: main.ts, .env and 10.0.0.1 are mentioned." },
    { message: "fix: read config.yaml first" },
    { message: "Redirects to /dev/null" },
    { commit_message: "Bump to v1.2, i.e. the newest" },
    { title: "Crash in Node.js on evil.com" },
    { subject: "Meeting at 10:30:00, room 2.1" },
    { subject: "Lunch, e.g. at noon?" },
    { state: "open", visibility: "private", labels: ["bug", "good first issue"] },
    { version: "v1.2", amount: "1.50", ratio: "3.14", date: "2026-01-31T10:30:00.000Z" },
    { type: "token", sort: "key" },
    { to: ["ann@example.com"], assignee: "bob@example.com" },
    { id: "0190f5fe-7c00-7a00-8000-000000000000", count: 3 },
    { name: "" },
  ])("%j names no place", (args) => {
    expect(placesIn(args)).toEqual([])
  })

  it("I5: what there is no work left for names one", () => {
    const args = { note: "a word", ids: ["a", "b"] }
    expect(namesPlace("paths", args, nowhere, { workLeft: mostWork })).toBe(false)
    for (const workLeft of [0, 300, 700]) expect(namesPlace("paths", args, nowhere, { workLeft })).toBe(true)
  })

  it.each([" ", "a.", ".a", "/etc", ":", "a ", "~", "'"])("takes time linear in a text of %j", (piece) => {
    const text = piece.repeat(400_000 / piece.length)
    expect(growthOf((item) => placesIn({ item, body: `x ${item}` }), text)).toBeLessThan(3)
  })
})
