import { describe, expect, it } from "vitest"
import { type DraftEvent, isAtRisk, isEdited, newDraft, nextDraft, type PolicyDraft } from "./draft.ts"
import { stateWords } from "./state-words.ts"

const first = { text: "version: 1\n", version: "a" }
const theirs = { text: "version: 1\nwait: 1h\n", version: "b" }
const after = (...events: readonly DraftEvent[]): PolicyDraft => events.reduce(nextDraft, newDraft(first))
const typed = { type: "typed", text: "version: 1\nwait: 2h\n" } as const

describe("a text in the making", () => {
  it("follows the file while nothing was typed", () => {
    const draft = after({ type: "read", saved: theirs })
    expect(draft.text).toBe(theirs.text)
    expect(isEdited(draft)).toBe(false)
  })

  it("keeps what was typed when somebody else saves, and shows both", () => {
    const draft = after(typed, { type: "read", saved: theirs })
    expect(draft.text).toBe(typed.text)
    expect(draft.theirs).toEqual(theirs)
    expect(draft.base).toEqual(first)
  })

  it("saves over theirs only after ours was chosen: the version moves with the choice", () => {
    const kept = after(typed, { type: "read", saved: theirs }, { type: "kept ours" })
    expect(kept.base.version).toBe("b")
    expect(kept.text).toBe(typed.text)
    expect(kept.theirs).toBeNull()
  })

  it("puts our text aside for theirs, and swaps them back without losing either", () => {
    const took = after(typed, { type: "read", saved: theirs }, { type: "took theirs" })
    expect(took.text).toBe(theirs.text)
    expect(took.aside).toBe(typed.text)
    const back = nextDraft(took, { type: "took back" })
    expect([back.text, back.aside]).toEqual([typed.text, theirs.text])
    expect(nextDraft(took, { type: "read", saved: { text: "x", version: "c" } }).aside).toBe(typed.text)
  })

  it("sees no conflict where somebody saved the very same text", () => {
    const draft = after(typed, { type: "read", saved: { text: typed.text, version: "b" } })
    expect(draft.theirs).toBeNull()
    expect(isEdited(draft)).toBe(false)
  })

  it("keeps what was typed while it was being saved", () => {
    const sent = typed.text
    const saved = { text: sent, version: "b" }
    expect(isEdited(after(typed, { type: "saved", saved, sent }))).toBe(false)
    const more = after(typed, { type: "typed", text: "more" }, { type: "saved", saved, sent })
    expect(more.text).toBe("more")
    expect(more.base).toEqual(saved)
  })

  it("puts aside what undoing everything takes away", () => {
    const undone = after(typed, { type: "undone" })
    expect([undone.text, undone.aside]).toEqual([first.text, typed.text])
  })

  it("may be left without a question once everything is saved or discarded, and the status says the same", () => {
    const told = (draft: PolicyDraft) => [isAtRisk(draft), stateWords(draft, { state: "shown" }, true)]
    expect(told(after())).toEqual([false, "Saved"])
    expect(told(after(typed))).toEqual([true, "Not saved"])
    expect(told(after(typed, { type: "undone" }))).toEqual([
      false,
      "Saved. What you discarded stays below until you leave this page",
    ])
    expect(told(after(typed, { type: "undone" }, { type: "took back" }))).toEqual([true, "Not saved"])
    const aside = after(typed, { type: "read", saved: theirs }, { type: "took theirs" })
    expect(told(aside)).toEqual([true, "Saved. Your own text stands below and is not saved"])
  })
})
