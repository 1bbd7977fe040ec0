import { afterEach, beforeEach, expect, it, vi } from "vitest"
import { type HttpCall, newCall } from "./http-call.ts"
import { createLingeringStreams } from "./lingering-streams.ts"

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] })
})
afterEach(() => {
  vi.useRealTimers()
})

function calls(count: number): { readonly calls: readonly HttpCall[]; readonly stopped: number[] } {
  const stopped: number[] = []
  const made = Array.from({ length: count }, (_, id) => {
    const call = newCall(id, "tools/call", "", true)
    call.stop = () => void stopped.push(id)
    return call
  })
  return { calls: made, stopped }
}

it("ends a stream that goes on after its answer, once", () => {
  const { calls: all, stopped } = calls(1)
  const lingering = createLingeringStreams()
  for (const call of all) lingering.add(call)
  vi.advanceTimersByTime(1_900)
  expect(stopped).toEqual([])
  vi.advanceTimersByTime(10_000)
  expect(stopped).toEqual([0])
  expect(vi.getTimerCount()).toBe(0)
})

it("leaves alone those that have ended, and gives each its own time", () => {
  const { calls: all, stopped } = calls(3)
  const [ended, early, late] = all as [HttpCall, HttpCall, HttpCall]
  const lingering = createLingeringStreams()
  lingering.add(ended)
  lingering.add(early)
  lingering.remove(ended)
  vi.advanceTimersByTime(1_500)
  lingering.add(late)
  vi.advanceTimersByTime(1_500)
  expect(stopped).toEqual([1])
  vi.advanceTimersByTime(2_000)
  expect(stopped).toEqual([1, 2])
})
