import { expect, it } from "vitest"
import type { Caller } from "../../wire/caller.ts"
import type { Notice } from "../../wire/message.ts"
import { legacyCaller } from "../fixtures/open-relay.ts"
import { createLogLevels } from "../talk/log-levels.ts"
import { createNoticeListeners } from "./notice-listeners.ts"

const said: Notice = { method: "notifications/elicitation/complete", params: { elicitationId: "1" } }

/** Listeners of these principals, what they heard, and how often it was looked whose they are. */
function open(principals: readonly string[], users: readonly string[] = []) {
  const heard: number[] = []
  let looked = 0
  const listeners = createNoticeListeners(createLogLevels(), new Set(users), async () => true)
  for (const [at, id] of principals.entries()) {
    const caller: Caller = {
      ...legacyCaller(),
      get principal() {
        looked += 1
        return { id }
      },
    }
    listeners.add(caller, {
      inquire: () => Promise.reject(new Error("Nobody asks.")),
      notify: () => void heard.push(at),
    })
  }
  return { listeners, heard, looked: () => looked }
}

it.each([
  { principals: ["ann", "ann"], users: [], hear: 2 },
  { principals: ["ann", "ann"], users: ["ann"], hear: 2 },
  { principals: ["ann", "bob"], users: [], hear: 0 },
  { principals: ["ann", "ann"], users: ["bob"], hear: 0 },
  { principals: ["ann"], users: ["ann", "bob"], hear: 0 },
])("I1: what has no address is heard by $hear listeners of $principals where $users asked something", (setting) => {
  const { listeners, heard } = open(setting.principals, setting.users)
  listeners.hear(said)
  expect(heard).toHaveLength(setting.hear)
})

it("looks once at each listener for a notice, however many there are", () => {
  const { listeners, heard, looked } = open(Array.from({ length: 300 }, () => "ann"))
  const before = looked()
  listeners.hear(said)
  expect(heard).toHaveLength(300)
  expect(looked() - before).toBeLessThan(1_000)
})
