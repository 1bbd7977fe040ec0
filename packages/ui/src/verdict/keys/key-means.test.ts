import { describe, expect, it } from "vitest"
import { type KeyFacts, type KeyState, keyMeans } from "./key-means.ts"

const press: KeyFacts = {
  key: "Enter",
  ctrl: true,
  meta: false,
  shift: false,
  alt: false,
  isRepeat: false,
  isComposing: false,
  typedIn: "nowhere",
}
const calm: KeyState = { isFresh: false, hasDialog: false, isBlocked: false, isSending: false }
const deny = { key: "Backspace" }

describe("keyMeans", () => {
  it.each([
    { name: "Ctrl+Enter allows once", facts: {}, means: "allow-once" },
    { name: "Cmd+Enter allows once", facts: { ctrl: false, meta: true }, means: "allow-once" },
    {
      name: "Ctrl+Enter in a field of the arguments allows them as changed",
      facts: { typedIn: "own-field" },
      means: "allow-once",
    },
    { name: "Ctrl+Backspace only opens the question", facts: deny, means: "open-deny" },
    {
      name: "(I7) Ctrl+Backspace opens the question from the button of another answer, too",
      facts: { ...deny, typedIn: "other-answer" },
      means: "open-deny",
    },
    { name: "a no is open while a yes is held back", facts: deny, state: { isBlocked: true }, means: "open-deny" },
  ] as const)("$name", ({ facts, means, ...rest }) => {
    const state = "state" in rest ? rest.state : {}
    expect(keyMeans({ ...press, ...facts }, { ...calm, ...state })).toBe(means)
  })

  it.each(["Enter", "y", "a", " ", "Escape", "Backspace", "Delete", "d", "n"])(
    "I1: %j alone decides nothing",
    (key) => {
      expect(keyMeans({ ...press, key, ctrl: false }, calm)).toBe("nothing")
    },
  )

  it.each([{ ctrl: false }, {}, { ctrl: false, meta: true }])("I4: Esc decides nothing, with %j", (held) => {
    expect(keyMeans({ ...press, ...held, key: "Escape" }, calm)).toBe("nothing")
  })

  it.each([
    { name: "with Shift", facts: { shift: true } },
    { name: "with Alt", facts: { alt: true } },
    { name: "with both Ctrl and Cmd", facts: { meta: true } },
    { name: "(I5) held down", facts: { isRepeat: true } },
    { name: "while a character is composed", facts: { isComposing: true } },
    { name: "(I6) in another field", facts: { typedIn: "other-field" } },
    { name: "(I7) on the button of another answer", facts: { typedIn: "other-answer" } },
    { name: "(I2) on a card that just appeared", state: { isFresh: true } },
    { name: "(I5) while a dialog is open", state: { hasDialog: true } },
    { name: "(I3) while a secret is unseen", state: { isBlocked: true } },
    { name: "(I5) while an answer is on its way", state: { isSending: true } },
  ])("Ctrl+Enter $name allows nothing", ({ facts, state }) => {
    expect(keyMeans({ ...press, ...(facts as Partial<KeyFacts>) }, { ...calm, ...state })).toBe("nothing")
  })

  it.each([
    { facts: { typedIn: "own-field" } },
    { facts: { typedIn: "other-field" } },
    { facts: { isRepeat: true } },
    { facts: {}, state: { isFresh: true } },
    { facts: {}, state: { hasDialog: true } },
  ])(
    "Ctrl+Backspace does nothing of ours where it deletes a word, is held down, or comes too early",
    ({ facts, state }) => {
      expect(keyMeans({ ...press, ...deny, ...(facts as Partial<KeyFacts>) }, { ...calm, ...state })).toBe("nothing")
    },
  )
})
