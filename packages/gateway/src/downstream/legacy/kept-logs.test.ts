import { expect, it } from "vitest"
import { type EventLog, logEvent, newEventLog } from "./event-log.ts"
import { createKeptLogs } from "./kept-logs.ts"

function endedLog(name: string, size: number, logs: Map<string, EventLog>): EventLog {
  const log = newEventLog(name, () => true)
  logEvent(log, "x".repeat(size), true)
  logs.set(name, log)
  return log
}

it("I1: keeps what fits of one principal, the newest first, over all its conversations", () => {
  const kept = createKeptLogs({ logs: 100, characters: 1_000 })
  const [one, other, bobs] = [new Map<string, EventLog>(), new Map<string, EventLog>(), new Map<string, EventLog>()]
  kept.keep("bob", endedLog("b", 400, bobs), bobs)
  for (let at = 0; at < 5; at += 1) {
    const logs = at % 2 === 0 ? one : other
    kept.keep("ann", endedLog(`a${at}`, 400, logs), logs)
  }
  expect([[...one.keys()], [...other.keys()], [...bobs.keys()]]).toEqual([["a4"], ["a3"], ["b"]])
  kept.keep("ann", endedLog("large", 5_000, one), one)
  expect([[...one.keys()], [...other.keys()]]).toEqual([["large"], []])
})

it("I1: keeps so many of one principal, not counting those that were read", () => {
  const kept = createKeptLogs({ logs: 3, characters: 1_000_000 })
  const logs = new Map<string, EventLog>()
  for (let at = 0; at < 10; at += 1) {
    kept.keep("ann", endedLog(`read${at}`, 10, logs), logs)
    logs.delete(`read${at}`)
  }
  kept.keep("ann", endedLog("first", 10, logs), logs)
  for (let at = 0; at < 3; at += 1) kept.keep("ann", endedLog(`a${at}`, 10, logs), logs)
  expect([...logs.keys()]).toEqual(["a0", "a1", "a2"])
})
