import { describe, expect, it } from "vitest"
import { waitingCall } from "../data/fixtures/waiting-call.ts"
import { arrivalWords } from "../pages/waiting/list/announcement.ts"
import { dueWarnings, warningOf } from "./due-warnings.ts"
import { arrivedWords, endingWords, expiredWords } from "./notice-words.ts"
import { firstNotifySettings, readNotifySettings } from "./notify-settings.ts"
import { pageTitle } from "./page-title.ts"

it.each([
  ["Waiting", 3, "(3) Byleave"],
  ["Waiting", 0, "Byleave"],
  ["Policy", 0, "Policy · Byleave"],
  ["Policy", 12, "(12) Policy · Byleave"],
])("the title of %s with %i waiting is %s", (page, waiting, title) => {
  expect(pageTitle(page, waiting)).toBe(title)
})

describe("R161: notifications", () => {
  const secret = waitingCall("1", { args: { path: "/home/me/secret.txt" }, expiresAt: 1 })

  it("I1: never hold arguments", () => {
    const all = [arrivedWords([secret]), arrivedWords([secret, secret]), expiredWords([secret]), endingWords([secret])]
    expect(all.map((words) => JSON.stringify(words)).filter((words) => words.includes("secret.txt"))).toEqual([])
    expect(arrivedWords([secret])).toEqual({
      title: "files(write_file) needs your approval",
      body: "Requested by agent.",
    })
  })

  it("mark what hides in a tool's name, and cut it", () => {
    const words = arrivedWords([waitingCall("1", { tool: `a\u202e${"b".repeat(100)}` })])
    expect(words?.title).toContain("⟨U+202E⟩")
    expect(words?.title).toContain("…")
  })

  it("say how many when several come together", () => {
    expect(arrivedWords([secret, waitingCall("2", { tool: "move_file" })])).toEqual({
      title: "2 calls need your approval",
      body: "files(write_file), files(move_file)",
    })
    expect(arrivalWords(2, 2)).toBe("2 new calls waiting.")
    expect(arrivalWords(1, 5)).toBe("1 new call waiting, 5 in total.")
  })
})

it("warns of a call once, and again when it was given more time", () => {
  const call = waitingCall("1", { expiresAt: 100_000 })
  const longer = waitingCall("1", { expiresAt: 400_000 })
  const warned = new Set([warningOf(call)])
  expect(dueWarnings([call], new Set(), 30_000)).toEqual([])
  expect(dueWarnings([call], new Set(), 50_000)).toEqual([call])
  expect(dueWarnings([call], warned, 60_000)).toEqual([])
  expect(dueWarnings([longer], warned, 350_000)).toEqual([longer])
})

it.each([null, "", "not json", "[]", '{"sound":"yes"}', '{"__proto__":{"sound":true}}'])(
  "R162: reads %s as nothing said, so that no sound is made unasked",
  (kept) => {
    expect(readNotifySettings(kept)).toEqual(firstNotifySettings)
  },
)
