import { expect, it } from "vitest"
import { waitingCall } from "../../data/fixtures/waiting-call.ts"
import { besideWords, callsBeside, nextReview } from "./ways-on.ts"

const change = (id: string, session: string) => waitingCall(id, { session, args: { path: "a.txt", content: "a" } })
const folder = (id: string, session: string) =>
  waitingCall(id, { session, tool: "create_directory", args: { path: "docs" } })

it("goes on to the next session with several changes, and to none where there is none", () => {
  const waiting = [change("1", "s1"), folder("2", "s2"), change("3", "s2"), change("4", "s3"), change("5", "s3")]
  expect(nextReview(waiting, "s1")).toMatchObject({ first: { id: "4" }, changes: 2 })
  expect(nextReview(waiting, "s3")).toBeNull()
})

it("counts the calls of the session that a review leaves out", () => {
  const waiting = [change("1", "s1"), folder("2", "s1"), folder("3", "s1"), folder("4", "s2")]
  expect(callsBeside(waiting, "s1", new Set(["1"]))).toBe(2)
  expect([besideWords(1), besideWords(3)]).toEqual([
    "1 other call of this session waits",
    "3 other calls of this session wait",
  ])
})
