import { describe, expect, it } from "vitest"
import { answerTo, knownAnswer } from "./known-answer.ts"

const file = { uri: "file:///a", name: "a" }

describe("an answer", () => {
  it.each([
    { answer: { action: "decline" }, kinds: ["elicitation"] },
    { answer: { action: "accept", content: { name: "Ana", type: "cat", tags: ["a"] } }, kinds: ["elicitation"] },
    { answer: { action: "accept", content: {}, _meta: { a: 1 }, resultType: "complete" }, kinds: ["elicitation"] },
    { answer: { role: "assistant", model: "m", content: { type: "text", text: "x" } }, kinds: ["sampling"] },
    { answer: { role: "assistant", model: "m", stopReason: "endTurn", content: [] }, kinds: ["sampling"] },
    { answer: { roots: [file] }, kinds: ["roots"] },
    { answer: { roots: [] }, kinds: ["roots"] },
  ])("I1: of a client passes as it is: $answer", ({ answer, kinds }) => {
    const known = knownAnswer(answer, "refuse")
    expect(known).toEqual({ ok: true, answer, kinds, dropped: [] })
    expect(known.ok && known.answer).toBe(answer)
  })

  it("I1: has no members that a client leaves out by null", () => {
    expect(knownAnswer({ action: "cancel", content: null }, "refuse")).toMatchObject({ answer: { action: "cancel" } })
  })

  it.each([
    { answer: { action: "accept", extra: 1 }, kept: { action: "accept" }, dropped: ["extra"] },
    { answer: { roots: [], "root\u017f": [file] }, kept: { roots: [] }, dropped: ["root\u017f"] },
    { answer: { action: "accept", Roots: [file] }, kept: { action: "accept" }, dropped: ["Roots"] },
    { answer: { role: "user", ACTION: "accept" }, kept: { role: "user" }, dropped: ["ACTION"] },
  ])("I1: has no other member, in whatever spelling: $answer", ({ answer, kept, dropped }) => {
    expect(knownAnswer(answer, "refuse")).toEqual({ ok: false, member: dropped[0] })
    expect(knownAnswer(answer, "drop")).toMatchObject({ ok: true, answer: kept, dropped })
  })

  it.each([
    { action: 1 },
    { action: "accept", content: "words" },
    { roots: { uri: "file:///a" } },
    { role: "user", content: "words" },
  ])("I1: has members of their type: %j", (answer) => {
    for (const unknown of ["refuse", "drop"] as const) expect(knownAnswer(answer, unknown).ok).toBe(false)
  })

  it.each([
    { answer: { action: "accept", content: { type: "text", text: "x" } }, kinds: ["elicitation", "sampling"] },
    { answer: { action: "accept", content: { TYPE: "Image" } }, kinds: ["elicitation", "sampling"] },
    { answer: { content: { type: "text" } }, kinds: ["sampling", "elicitation", "roots"] },
    { answer: {}, kinds: ["sampling", "elicitation", "roots"] },
  ])("I2: counts as all that it can be read as: $answer", ({ answer, kinds }) => {
    expect(knownAnswer(answer, "refuse")).toMatchObject({ ok: true, kinds })
  })

  it.each([{ action: "accept", roots: [] }, { action: "accept", model: "m" }, [], "yes", null])(
    "I2: is none where it is of several kinds, or of no form: %j",
    (answer) => {
      for (const unknown of ["refuse", "drop"] as const)
        expect(knownAnswer(answer, unknown)).toEqual({ ok: false, member: null })
    },
  )

  it("I1: to a known question has the members of its kind", () => {
    const said = { action: "accept", content: { a: 1 }, roots: [file], resultType: "complete" }
    expect(answerTo("elicitation", said)).toEqual({ action: "accept", content: { a: 1 } })
  })
})
