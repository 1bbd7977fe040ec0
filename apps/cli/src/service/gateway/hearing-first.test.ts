import type { CallerGate } from "@byleave/core"
import { expect, it } from "vitest"
import { hearingFirst } from "./hearing-first.ts"

const { promise: forever } = Promise.withResolvers<void>()
const asked: Parameters<CallerGate["mayStillRun"]> = [
  { tool: { server: "s", tool: "t" }, principal: { id: "a" }, session: { principal: "a", id: "1", named: true } },
  {},
  null,
]

function gateThat(steps: string[]): Pick<CallerGate, "mayStillRun"> {
  return {
    mayStillRun: async () => {
      steps.push("judged")
      return true
    },
  }
}

it("I1: hears what others committed, and follows their policy, before it judges", async () => {
  const steps: string[] = []
  const step = (name: string) => async () => void steps.push(name)
  const gate = hearingFirst(gateThat(steps), { hear: step("heard"), follow: step("followed"), pause: () => forever })
  expect(await gate.mayStillRun(...asked)).toBe(true)
  expect(steps).toEqual(["heard", "followed", "judged"])
})

it("I2: says nothing where the store cannot be read, or does not answer in time", async () => {
  const steps: string[] = []
  const away = async () => {
    throw new Error("away")
  }
  const failing = hearingFirst(gateThat(steps), { hear: away, follow: async () => {}, pause: () => forever })
  await expect(failing.mayStillRun(...asked)).rejects.toThrow("away")
  const stalled = hearingFirst(gateThat(steps), { hear: () => forever, follow: async () => {}, pause: async () => {} })
  await expect(stalled.mayStillRun(...asked)).rejects.toThrow("in time")
  expect(steps).toEqual([])
})
