import { describe, expect, it } from "vitest"
import { ownNameLikeness, ownNameWarning } from "./own-name.ts"

describe("a server's name beside Byleave's own", () => {
  it.each([
    ["itself", "byleave"],
    ["capital letters", "BYLEAVE"],
    ["a Cyrillic е", "byl\u0435ave"],
    ["Cyrillic letters throughout", "\u042c\u0443l\u0415\u0430v\u0435"],
    ["a Greek nu", "bylea\u03bde"],
    ["a capital i for the l", "byIeave"],
    ["a one for the l", "by1eave"],
    ["digits for letters", "byl34v3"],
    ["full-width letters", "\uff42\uff59\uff4c\uff45\uff41\uff56\uff45"],
    ["mathematical letters", "\u{1d41b}\u{1d432}\u{1d425}\u{1d41e}\u{1d41a}\u{1d42f}\u{1d41e}"],
    ["small capitals", "\u0299\u028f\u029f\u1d07\u1d00\u1d20\u1d07"],
    ["an accent", "byl\u00e9ave"],
    ["a mark of its own", "byle\u0323ave"],
    ["an invisible character", "by\u200bleave"],
    ["a joiner", "by\u2060leave"],
    ["a sign that turns the direction", "\u202ebyleave\u202c"],
    ["a space behind", "byleave "],
    ["a wide space before", "\u3000byleave"],
  ])("%s passes for it", (_, name) => {
    expect(ownNameLikeness(name)).toBe("same")
  })

  it.each(["by-leave", "by_leave", "by leave", "By.Leave", "byleave-2", "byleave2", "my-byleave", "@byleave/server"])(
    "%s is similar",
    (name) => {
      expect(ownNameLikeness(name)).toBe("similar")
    },
  )

  it.each(["files", "bye", "leave", "by", "belive", "bylaw", "github", "файлы", "検索", ""])(
    "%s is neither",
    (name) => {
      expect(ownNameLikeness(name)).toBe(null)
      expect(ownNameWarning(name)).toBe(null)
    },
  )

  it("is told with hidden characters marked", () => {
    expect(ownNameWarning("by\u200b-leave")).toContain("by⟨U+200B⟩-leave")
  })
})
