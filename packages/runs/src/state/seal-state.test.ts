import { gunzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { openState, sealState, stateKeyFrom } from "./seal-state.ts"

const key = stateKeyFrom("a secret of this test")
const head = { state: "s1", principal: "run", run: "r1", version: 7 } as const
const most = { text: 100_000, unpacked: 1_000_000 }
const text = JSON.stringify({ words: "ä 漢 😀".repeat(200) })
const sealed = sealState(head, text, key, "zstd")
const [mark, version, clear = "", body = ""] = sealed.split(".")
const withHead = (changes: object) => {
  const read = JSON.parse(Buffer.from(clear, "base64url").toString())
  return Buffer.from(JSON.stringify({ ...read, ...changes })).toString("base64url")
}
const flipped = (at: number) => {
  const bytes = Buffer.from(body, "base64url")
  bytes[at] = (bytes[at] ?? 0) ^ 1
  return [mark, version, clear, bytes.toString("base64url")].join(".")
}

describe("a sealed state", () => {
  it.each(["zstd", "gzip"] as const)("R72: gives back what was sealed, packed with %s", (format) => {
    const made = sealState(head, text, key, format)
    expect(openState(made, key, most)).toEqual({ ok: true, head, text })
    expect(made.length).toBeLessThan(text.length)
    expect(made).not.toContain("words")
  })

  it("is another text each time", () => {
    expect(sealState(head, text, key, "zstd")).not.toBe(sealed)
  })

  it.each([
    { name: "a bit of its body", made: flipped(40), code: "state-tampered" },
    { name: "a bit of its nonce", made: flipped(0), code: "state-tampered" },
    { name: "its run", made: [mark, version, withHead({ run: "r2" }), body].join("."), code: "state-tampered" },
    {
      name: "its principal",
      made: [mark, version, withHead({ principal: "chat" }), body].join("."),
      code: "state-tampered",
    },
    {
      name: "the version of the run",
      made: [mark, version, withHead({ version: 8 }), body].join("."),
      code: "state-tampered",
    },
    { name: "its name", made: [mark, version, withHead({ state: "s2" }), body].join("."), code: "state-tampered" },
    { name: "a newer version", made: [mark, "2", clear, body].join("."), code: "state-too-new" },
    { name: "an older version", made: [mark, "0", clear, body].join("."), code: "state-too-old" },
    { name: "its end", made: sealed.slice(0, -9), code: "state-tampered" },
    { name: "no body", made: [mark, version, clear, ""].join("."), code: "state-tampered" },
    { name: "no head", made: [mark, version, "e30", body].join("."), code: "state-malformed" },
    { name: "nothing", made: "", code: "state-malformed" },
    { name: "other words", made: "a.b.c.d", code: "state-malformed" },
    { name: "a number that is none", made: [mark, "1e9", clear, body].join("."), code: "state-malformed" },
    { name: "100 kB", made: sealed + "A".repeat(100_000), code: "state-too-large" },
  ])("with $name changed is refused as $code", ({ made, code }) => {
    expect(openState(made, key, most)).toMatchObject({ ok: false, refusal: { code } })
  })

  it("of another key is foreign", () => {
    const opened = openState(sealed, stateKeyFrom("another"), most)
    expect(opened).toMatchObject({ ok: false, refusal: { code: "state-foreign" } })
  })

  it.each(["zstd", "gzip"] as const)("that unpacks to more than it may is given up on the way (%s)", (format) => {
    const bomb = sealState(head, "0".repeat(50_000_000), key, format)
    expect(bomb.length).toBeLessThan(most.text)
    const before = process.memoryUsage().arrayBuffers
    expect(openState(bomb, key, most)).toMatchObject({ ok: false, refusal: { code: "state-bomb" } })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000)
  })

  it("is noise without the key: not even its packing shows", () => {
    expect(() => gunzipSync(Buffer.from(sealState(head, text, key, "gzip").split(".")[3] ?? "", "base64"))).toThrow()
  })
})
