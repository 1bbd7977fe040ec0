import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { createUndoWindow, undoMs } from "./undo-window.ts"

const opened = () => {
  const sent: string[] = []
  return { sent, answers: createUndoWindow<string>((key, answer) => sent.push(`${key} ${answer}`)) }
}

describe("answers that are not sent yet", () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it("are sent once, three seconds after they were given", () => {
    const { sent, answers } = opened()
    answers.hold("a", "allow")
    vi.advanceTimersByTime(undoMs - 1)
    expect(sent).toEqual([])
    vi.advanceTimersByTime(1)
    expect(sent).toEqual(["a allow"])
    vi.advanceTimersByTime(undoMs)
    answers.sendAll()
    expect(sent).toEqual(["a allow"])
  })

  it("I1: are never sent once they were taken back", () => {
    const { sent, answers } = opened()
    answers.hold("a", "allow")
    vi.advanceTimersByTime(undoMs - 1)
    expect(answers.takeBack("a")).toBe("allow")
    vi.advanceTimersByTime(undoMs)
    answers.sendAll()
    expect(sent).toEqual([])
  })

  it("I2: cannot be taken back once they were sent", () => {
    const { sent, answers } = opened()
    answers.hold("a", "allow")
    vi.advanceTimersByTime(undoMs)
    expect(answers.takeBack("a")).toBeNull()
    expect(sent).toEqual(["a allow"])
  })

  it("I3: are not replaced by a second answer, and may be given anew once taken back", () => {
    const { sent, answers } = opened()
    expect(answers.hold("a", "allow")).toBe(true)
    expect(answers.hold("a", "deny")).toBe(false)
    answers.takeBack("a")
    expect(answers.hold("a", "deny")).toBe(true)
    vi.advanceTimersByTime(undoMs)
    expect(sent).toEqual(["a deny"])
  })

  it("are each on their own, and all sent at once for whoever leaves the page", () => {
    const { sent, answers } = opened()
    answers.hold("a", "allow")
    vi.advanceTimersByTime(1_000)
    answers.hold("b", "deny")
    answers.sendAll()
    expect(sent).toEqual(["a allow", "b deny"])
  })
})
