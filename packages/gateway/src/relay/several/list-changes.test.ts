import { describe, expect, it, vi } from "vitest"
import type { ToolMap } from "../tools/tool-list.ts"
import { createListChanges } from "./list-changes.ts"

const toolsOf = (description: string): ToolMap => new Map([["t", { name: "t", description }]])

function open() {
  const seen = { description: "one", reads: 0, told: 0, time: 0, isDown: false }
  const changes = createListChanges({
    offered: async () => {
      seen.reads += 1
      if (seen.isDown) throw new Error("gone")
      return toolsOf(seen.description)
    },
    isHeard: () => true,
    tell: () => {
      seen.told += 1
    },
    now: () => seen.time,
  })
  return { seen, changes }
}

describe("that the list of tools has changed", () => {
  it("I1: is told when what agents may be told is another, whoever notices it", async () => {
    const { seen, changes } = open()
    changes.listed(toolsOf("one"))
    changes.announced()
    await vi.waitFor(() => expect(seen.reads).toBe(1))
    expect(seen.told).toBe(0)
    seen.time += 1_000
    seen.description = "two"
    changes.decided()
    await vi.waitFor(() => expect(seen.told).toBe(1))
    changes.listed(toolsOf("two"))
    expect(seen.told).toBe(1)
    // Another who listens has not heard of what this one reads.
    changes.listed(toolsOf("three"))
    expect(seen.told).toBe(2)
  })

  it("I1: is passed on while nobody has listed anything, and where the list cannot be read", async () => {
    const { seen, changes } = open()
    changes.decided()
    changes.announced()
    expect(seen).toMatchObject({ told: 1, reads: 0 })
    changes.listed(toolsOf("one"))
    seen.isDown = true
    changes.announced()
    await vi.waitFor(() => expect(seen.told).toBe(2))
  })

  it("I2: a server that says so without end has its list read one at a time, and seldom", async () => {
    const { seen, changes } = open()
    changes.listed(toolsOf("one"))
    for (let at = 0; at < 10_000; at += 1) changes.announced()
    expect(seen.reads).toBe(1)
    seen.time += 1_000
    await vi.waitFor(() => expect(seen.reads).toBe(2))
    for (let at = 0; at < 10_000; at += 1) changes.announced()
    expect(seen.reads).toBe(2)
  })
})
