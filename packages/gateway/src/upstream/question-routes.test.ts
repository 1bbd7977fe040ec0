import { describe, expect, it } from "vitest"
import type { Ask, Reply } from "../wire/message.ts"
import { cannotAskHere, clientAway, exchangeOver, nobodyThere, unanswered } from "../wire/not-asked.ts"
import { answering } from "./fixtures/try-upstream.ts"
import { type Askable, createQuestionRoutes, type QuestionRoute, type StandingClient } from "./question-routes.ts"

const question: Ask = { method: "elicitation/create", params: {} }
const answered = (by: string): Reply => ({ kind: "result", result: { by } })
const client = (by: string, session?: string): Askable => answering(async () => answered(by), session)
const routes = () => createQuestionRoutes(() => {})

const standing = (isThere = true): StandingClient => ({
  isThere: () => isThere,
  inquire: async () => answered("listener"),
})

/** A client whose question waits to be judged. */
function judging(more: Partial<Askable> = {}) {
  const judged = Promise.withResolvers<void>()
  const seen: QuestionRoute[] = []
  const askable: Askable = {
    ...client("newest"),
    judge: async (ask, route) => {
      seen.push(route)
      await judged.promise
      return route.inquire(ask)
    },
    ...more,
  }
  return { askable, judged: judged.resolve, over: () => seen[0]?.over.aborted, times: () => seen.length }
}

describe("a question of a legacy server", () => {
  it("I1: ends with the last of the requests that were in flight when it came", () => {
    const { ask, ended } = routes()
    const { askable, over } = judging()
    void ask(question, [
      [1, client("one")],
      [2, askable],
    ])
    for (const id of [2, 3, 2]) ended(id)
    expect(over()).toBe(false)
    ended(1)
    expect(over()).toBe(true)
  })

  it("I3: is put to the newest of them that is not over once it was judged", async () => {
    const { ask, ended } = routes()
    const { askable, judged } = judging()
    const asking = ask(question, [
      [1, client("one")],
      [2, client("two")],
      [3, askable],
    ])
    ended(3)
    judged()
    expect(await asking).toEqual(answered("two"))
  })

  const noAnswers = [exchangeOver, cannotAskHere, nobodyThere, clientAway, unanswered]
  it.each(noAnswers)("I3: is put to another where one gives no answer: $error.message", async (reply) => {
    const nobody = answering(async () => reply)
    expect(
      await routes().ask(question, [
        [1, client("one")],
        [2, nobody],
      ]),
    ).toEqual(answered("one"))
    expect(await routes().ask(question, [[2, nobody]])).toBe(reply)
    expect(await routes().ask(question, [[2, nobody]], standing())).toEqual(answered("listener"))
    expect(await routes().ask(question, [[2, nobody]], standing(false))).toBe(reply)
  })

  it("I1: does not end with the requests while a client listens outside of them, but with the connection", () => {
    const { ask, ended, close } = routes()
    const { askable, over } = judging()
    void ask(question, [[1, askable]], standing())
    ended(1)
    expect(over()).toBe(false)
    close()
    expect(over()).toBe(true)
  })

  it("I1: ends with the requests where nobody listens outside of them by then", () => {
    const { ask, ended } = routes()
    const { askable, over } = judging()
    void ask(question, [[1, askable]], standing(false))
    ended(1)
    expect(over()).toBe(true)
  })

  it.each([true, false])(
    "I3: is put, judged once, to the client that listens or will, where all are over: %s",
    async (isThere) => {
      const { ask, ended } = routes()
      const { askable, judged, times } = judging()
      const asking = ask(question, [[3, askable]], standing(isThere))
      ended(3)
      judged()
      expect(await asking).toEqual(answered("listener"))
      expect(times()).toBe(1)
    },
  )

  it("I3: is put to nobody once the connection is closed", async () => {
    const { ask, ended, close } = routes()
    const { askable, judged } = judging()
    const asking = ask(question, [[3, askable]], standing())
    ended(3)
    close()
    judged()
    expect(await asking).toBe(exchangeOver)
  })

  it("I3: passes over a client that is away while another is there, outside requests too", async () => {
    const away: Askable = { ...client("away"), isThere: () => false }
    const toNewest = (...about: Askable[]) => about.map((one, at) => [at, one] as const)
    expect(await routes().ask(question, toNewest(client("one"), away))).toEqual(answered("one"))
    expect(await routes().ask(question, toNewest(away), standing())).toEqual(answered("listener"))
    expect(await routes().ask(question, toNewest(away), standing(false))).toEqual(answered("away"))
  })

  it("I3: is refused where all of them are over", async () => {
    const { ask, ended } = routes()
    const { askable, judged } = judging()
    const asking = ask(question, [[3, askable]])
    ended(3)
    judged()
    expect(await asking).toBe(exchangeOver)
  })

  it("I2: is neither judged nor asked where they are of several sessions, which is told once for the same newest request", async () => {
    const told: Ask[] = []
    const { ask } = createQuestionRoutes((given) => told.push(given))
    const { askable, over } = judging()
    const about = [[1, client("one", "x")] as const, [2, askable] as const]
    for (let asked = 0; asked < 2; asked += 1)
      expect(await ask(question, about)).toMatchObject({
        error: { message: expect.stringContaining("several sessions") },
      })
    expect(over()).toBeUndefined()
    expect(told).toEqual([question])
  })
})
