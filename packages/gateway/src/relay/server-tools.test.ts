import type { ToolDefinition } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { createServerTools } from "./server-tools.ts"

const tool = (description: string): ToolDefinition => ({ name: "t", description, inputSchema: { type: "object" } })

/** A gate that keeps what it was told, each telling taking as long as the test says. */
function open(taking: (time: number) => Promise<void> = async () => {}) {
  const told: unknown[] = []
  let times = 0
  const tools = createServerTools("files", {
    seeTools: async (_server, listed) => {
      times += 1
      await taking(times)
      told.push(...listed.map(({ description }) => description))
    },
  })
  return { tools, told }
}

describe("what the gate is told of a server's tools", () => {
  it("I1: is told again after a telling that failed, and counts as told only then", async () => {
    const { tools, told } = open((time) => (time === 1 ? Promise.reject(new Error("gone")) : Promise.resolve()))
    const one = tool("one")
    await expect(tools.see("a", [one])).rejects.toThrow("gone")
    expect(tools.isTold(one)).toBe(false)
    await tools.see("a", [one])
    expect(tools.isTold(one)).toBe(true)
    expect(told).toEqual(["one"])
  })

  it("I2: is told by its words: another connection that says the same is told, one that says otherwise is not", async () => {
    const { tools, told } = open()
    await tools.see("a", [tool("one")])
    expect(tools.isTold(tool("one"))).toBe(true)
    expect(tools.isTold(tool("two"))).toBe(false)
    await tools.see("b", [tool("two")])
    expect(tools.isTold(tool("one"))).toBe(false)
    await tools.standFor("a", tool("one"))
    expect(tools.isTold(tool("one"))).toBe(true)
    expect(told).toEqual(["one", "two", "one"])
  })

  it("I3: ends with the newest, though an older telling takes longer", async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { tools, told } = open((time) => (time === 1 ? promise : Promise.resolve()))
    const first = tools.see("a", [tool("one")])
    await new Promise((turn) => setImmediate(turn))
    const second = tools.see("a", [tool("two")])
    await new Promise((turn) => setImmediate(turn))
    resolve()
    await Promise.all([first, second])
    expect(told).toEqual(["one", "two"])
    expect(tools.isTold(tool("two"))).toBe(true)
  })
})
