import { describe, expect, it } from "vitest"
import type { Ask, Reply } from "../wire/message.ts"
import { cannotAskHere, exchangeOver } from "../wire/not-asked.ts"
import { answering } from "./fixtures/try-upstream.ts"
import { type Askable, createQuestionRoutes, type QuestionRoute } from "./question-routes.ts"

const question: Ask = { method: "elicitation/create", params: {} }
const answered = (by: string): Reply => ({ kind: "result", result: { by } })
const client = (by: string, session?: string): Askable => answering(async () => answered(by), session)
const routes = () => createQuestionRoutes(() => {})

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
  return { askable, judged: judged.resolve, over: () => seen[0]?.over.aborted }
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

  it.each([exchangeOver, cannotAskHere])("I3: is put to another where one asks nobody: $error.code", async (reply) => {
    const nobody = answering(async () => reply)
    expect(
      await routes().ask(question, [
        [1, client("one")],
        [2, nobody],
      ]),
    ).toEqual(answered("one"))
    expect(await routes().ask(question, [[2, nobody]])).toBe(reply)
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
