import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { foldName, looseReadings, strictReadings } from "./name-readings.ts"

const enough = (): boolean => true

describe("looseReadings", () => {
  it.each([
    "file:///%65tc/passwd",
    "file:///%2565tc/passwd",
    "file://localhost/etc/passwd",
    "file://LOCALHOST/etc/passwd",
    "FILE:///etc/passwd",
    "file:////etc/passwd",
    "file:///./etc/passwd",
    "file:///a/../etc/passwd",
    "file:///a/%2e%2e/etc/passwd",
    "file:/etc/passwd",
    "file:etc/passwd",
    " file:///etc/passwd",
    "file:///etc\\passwd",
    "file:///et\tc/passwd",
    "file:///etc/passwd?x",
    "file:///etc/passwd#x",
    "file:///etc%2Fpasswd",
    "file:///etc/%ff/../passwd",
    "file://other/etc/passwd",
    "file://localhost:80/etc/passwd",
    "file://ada@localhost/etc/passwd",
    "file://127.1/etc/passwd",
  ])("I2: %j is read as file:///etc/passwd", (uri) => {
    expect(looseReadings("resource", uri, enough)).toContain("file:///etc/passwd")
  })

  it.each<readonly [string, string]>([
    ["https://EXAMPLE.com./a/../b", "https://example.com/b"],
    ...[
      "https://ada@intranet/secret/a",
      "https://ada:pin@intranet/secret/a",
      "https://a@b@intranet/secret/a",
      "https://@intranet/secret/a",
      "https://intranet:/secret/a",
      "https://intranet:443/secret/a",
      "https://intranet:0443/secret/a",
      "https:intranet/secret/a",
      "https:/intranet/secret/a",
      "https:///intranet/secret/a",
      "https:\\\\intranet\\secret\\a",
      "https://Intranet./secret/a",
      "https://intranet\u3002/secret/a",
      "https://ada%40intranet/secret/a",
      "https://ada@intranet:443/secret/a?x#y",
    ].map((uri) => [uri, "https://intranet/secret/a"] as const),
    ...[
      "http://2852039166/x",
      "http://0xa9fea9fe/x",
      "http://0xA9.0xFE.0xA9.0xFE/x",
      "http://0251.0376.0251.0376/x",
      "http://169.254.43518/x",
      "http://[::ffff:169.254.169.254]/x",
      "http://[::FFFF:a9fe:a9fe]:80/x",
    ].map((uri) => [uri, "http://169.254.169.254/x"] as const),
    ["http://[0:0:0:0:0:0:0:1]/a", "http://[::1]/a"],
    ["https://bücher.example/a", "https://xn--bcher-kva.example/a"],
    ["https://intranet/secret/a", "https://intranet:443/secret/a"],
    ["http://[::1]:80/a", "http://[::1]/a"],
    ["http://[::1]/a", "http://[::1]:80/a"],
    ["https://intranet:8443/a", "https://intranet:8443/a"],
    ["wss:intranet:443/a", "wss://intranet/a"],
    ["ftp://anonymous@intranet:21/a", "ftp://intranet/a"],
    ["note://Team/a//b", "note://team/a/b"],
    ["demo:list/../all", "demo:all"],
  ])("I2: %j is read as %j", (uri, read) => {
    expect(looseReadings("resource", uri, enough)).toContain(read)
  })

  it("I1: a name is among its readings, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 20 }), fc.constantFrom("resource", "prompt"), (name, kind) => {
        expect(looseReadings(kind as "resource", name, enough)).toContain(name)
        expect(strictReadings(kind as "resource", name, enough)?.whole).toContain(name)
      }),
    )
  })

  it("another port is another place", () => {
    expect(looseReadings("resource", "https://intranet:8443/a", enough)).not.toContain("https://intranet/a")
  })

  it("blanks at the ends are no part of an address; those within are, however many", () => {
    // Quadratic in the blanks within, this would not end.
    const inner = `file:///a${" ".repeat(200_000)}b`
    expect(looseReadings("resource", ` \n${inner}\0 `, enough)).toContain(inner)
  })

  it("a plain address has one reading", () => {
    expect(looseReadings("resource", "file:///home/ada/notes.txt", enough)).toEqual(["file:///home/ada/notes.txt"])
    expect(looseReadings("prompt", "review", enough)).toEqual(["review"])
  })
})

describe("strictReadings", () => {
  it("an address that leaves its folder has a reading outside of it", () => {
    expect(strictReadings("resource", "file:///home/ada/%2e%2e/bob", enough)?.whole).toContain("file:///home/bob")
  })

  it("query and fragment stay part of the address; some readers cut both, others the fragment", () => {
    expect(strictReadings("resource", "https://a.example/x?y=1#z", enough)).toEqual({
      whole: ["https://a.example/x?y=1#z"],
      withoutUser: [],
      withoutQuery: ["https://a.example/x"],
      withoutFragment: ["https://a.example/x?y=1"],
    })
  })
})

describe("foldName", () => {
  it.each(["Danger", "danger ", "dan\u200Bger", "ｄａｎｇｅｒ", "\u0007danger"])("%j is read as danger", (name) => {
    expect(foldName(name)).toBe("danger")
  })
})
