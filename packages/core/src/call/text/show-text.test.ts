import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { hasHiddenCharacters, showText } from "./show-text.ts"

describe("showText", () => {
  it.each([
    ["\u001b[2Jgone", "⟨U+001B⟩[2Jgone"],
    ["a\nb\tc\u0000", "a⟨U+000A⟩b⟨U+0009⟩c⟨U+0000⟩"],
    ["\u009b31m", "⟨U+009B⟩31m"],
    ["report\u202efdp.exe", "report⟨U+202E⟩fdp.exe"],
    ["\u2066x\u2069", "⟨U+2066⟩x⟨U+2069⟩"],
    ["pay\u200bpal", "pay⟨U+200B⟩pal"],
    ["\ufeffx", "⟨U+FEFF⟩x"],
    ["so\u00adft", "so⟨U+00AD⟩ft"],
    ["rm -rf\u00a0/", "rm -rf⟨U+00A0⟩/"],
    ["a\u2028b", "a⟨U+2028⟩b"],
    ["hi\u{e0041}\u{e0042}", "hi⟨U+E0041⟩⟨U+E0042⟩"],
    ["x\ufe0f\u{e0100}", "x⟨U+FE0F⟩⟨U+E0100⟩"],
    ["\u3164\u2800\u115f", "⟨U+3164⟩⟨U+2800⟩⟨U+115F⟩"],
    ["\ue000\uffff", "⟨U+E000⟩⟨U+FFFF⟩"],
    ["a\ud800b", "a⟨U+D800⟩b"],
    ["⟨U+202E⟩", "⟨U+27E8⟩U+202E⟩"],
    ["❤️\ufe0f", "❤️⟨U+FE0F⟩"],
    ["👩\u200da", "👩⟨U+200D⟩a"],
  ])("I1, I2: shows %j as %s", (text, shown) => {
    expect(showText(text)).toBe(shown)
  })

  it.each([
    "",
    "plain text",
    "Grüße, 你好, שלום, नमस्ते",
    "⟨x⟩ ≤ y",
    "👩‍👩‍👧 ❤️ 1️⃣ 🇨🇭 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  ])("leaves %s as it is", (text) => {
    expect(showText(text)).toBe(text)
    expect(hasHiddenCharacters(text)).toEqual([])
  })

  const sly = fc.string({
    unit: fc.oneof(
      fc.constantFrom("a", "⟨", "⟩", "U+", "202E", "❤", "\ufe0f", "👩", "\u200d", "\u202e", "\n", "\ud83d", "\udc00"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    ),
  })

  it("I1: leaves nothing hidden", () => {
    fc.assert(
      fc.property(sly, (text) => {
        const shown = showText(text)
        expect(shown).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u)
        expect(hasHiddenCharacters(shown)).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it("I2: can be read back, so no two texts look alike", () => {
    fc.assert(
      fc.property(sly, (text) => {
        const read = showText(text).replaceAll(/⟨U\+([0-9A-F]{4,6})⟩/g, (_mark, code: string) =>
          String.fromCodePoint(Number.parseInt(code, 16)),
        )
        expect(read).toBe(text)
      }),
      { numRuns: 500 },
    )
  })
})

describe("emoji that are joined", () => {
  const family = "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}"
  const pair = (n: number) =>
    `${String.fromCodePoint(0x1f600 + (n % 80))}\u200d${String.fromCodePoint(0x1f600 + Math.floor(n / 80))}`

  it("stay whole where they are one emoji, and show the joiner where they are not", () => {
    expect(showText(`${family} \u2764\ufe0f 1\ufe0f\u20e3 ${pair(1)}`)).toBe(
      `${family} \u2764\ufe0f 1\ufe0f\u20e3 \u{1f601}⟨U+200D⟩\u{1f600}`,
    )
  })

  it("I3: are marked after a hundred different ones", () => {
    const many = Array.from({ length: 100 }, (_, n) => pair(n)).join("")
    expect(showText(`${family}${many}${family}`).startsWith(family)).toBe(true)
    expect(showText(`${many}${family}`).endsWith("\u{1f468}⟨U+200D⟩\u{1f469}⟨U+200D⟩\u{1f467}")).toBe(true)
  })
})

describe("hasHiddenCharacters", () => {
  it("says where, what and of which kind", () => {
    expect(hasHiddenCharacters("😀a\u202eb\u0007\u00a0\u200b\u{e0041}\ue000\u0378⟨U+0000⟩")).toEqual([
      { offset: 3, codePoint: 0x202e, name: "right-to-left override", kind: "bidirectional" },
      { offset: 5, codePoint: 0x07, name: "bell", kind: "control" },
      { offset: 6, codePoint: 0xa0, name: "no-break space", kind: "space" },
      { offset: 7, codePoint: 0x200b, name: "zero-width space", kind: "invisible" },
      { offset: 8, codePoint: 0xe0041, name: "tag character", kind: "invisible" },
      { offset: 10, codePoint: 0xe000, name: "private-use character", kind: "unknown" },
      { offset: 11, codePoint: 0x378, name: "character without a known shape", kind: "unknown" },
    ])
  })

  it("stops after a thousand", () => {
    expect(hasHiddenCharacters("\u200b".repeat(5_000))).toHaveLength(1_000)
  })
})
