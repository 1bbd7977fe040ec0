import type { ToolDefinition } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { createServerTools } from "./server-tools.ts"

const tool = (description: string): ToolDefinition => ({ name: "t", description, inputSchema: { type: "object" } })

/** A gate that keeps what it was told, each telling taking as long as the test says. */
function open(taking: (time: number) => Promise<void> = async () => {}) {
  const told: unknown[] = []
  let times = 0
  const tools = createServerTools("files", {
    offeredTools: async (_server, tools) => tools,
    seeTools: async (_server, listed) => {
      times += 1
      await taking(times)
      told.push(...listed.map(({ description }) => description))
    },
  })
  return { tools, told }
}

describe("what agents may be told", () => {
  it("I4: is asked for once, and again when it may have changed", async () => {
    const answers = ["one", "two"]
    let asked = 0
    const tools = createServerTools("files", {
      seeTools: async () => {},
      offeredTools: async () => [tool(answers[asked++] ?? "more")],
    })
    const listed = new Map([["t", tool("live")]])
    expect(tools.offeredNow(listed)).toBeUndefined()
    expect((await tools.offered(listed)).get("t")?.description).toBe("one")
    expect((await tools.offered(listed)).get("t")?.description).toBe("one")
    tools.definitionsChanged()
    expect(tools.offeredNow(listed)).toBeUndefined()
    expect((await tools.offered(listed)).get("t")?.description).toBe("two")
  })

  it("I4: an answer that was on its way when things changed is not remembered", async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const tools = createServerTools("files", {
      seeTools: async () => {},
      offeredTools: async (_server, listed) => {
        await promise
        return listed
      },
    })
    const listed = new Map([["t", tool("live")]])
    const asking = tools.offered(listed)
    tools.definitionsChanged()
    resolve()
    await asking
    expect(tools.offeredNow(listed)).toBeUndefined()
  })
})

describe("what the gate is told of a server's tools", () => {
  it("I1: is told again after a telling that failed, and counts as told only then", async () => {
    const { tools, told } = open((time) => (time === 1 ? Promise.reject(new Error("gone")) : Promise.resolve()))
    const one = tool("one")
    await expect(tools.see("a", { tools: [one], cut: null })).rejects.toThrow("gone")
    expect(tools.isTold(one)).toBe(false)
    await tools.see("a", { tools: [one], cut: null })
    expect(tools.isTold(one)).toBe(true)
    expect(told).toEqual(["one"])
  })

  it("I2: is told by its words: another connection that says the same is told, one that says otherwise is not", async () => {
    const { tools, told } = open()
    await tools.see("a", { tools: [tool("one")], cut: null })
    expect(tools.isTold(tool("one"))).toBe(true)
    expect(tools.isTold(tool("two"))).toBe(false)
    await tools.see("b", { tools: [tool("two")], cut: null })
    expect(tools.isTold(tool("one"))).toBe(false)
    await tools.standFor("a", tool("one"))
    expect(tools.isTold(tool("one"))).toBe(true)
    expect(told).toEqual(["one", "two", "one"])
  })

  it("I3: ends with the newest, though an older telling takes longer", async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { tools, told } = open((time) => (time === 1 ? promise : Promise.resolve()))
    const first = tools.see("a", { tools: [tool("one")], cut: null })
    await new Promise((turn) => setImmediate(turn))
    const second = tools.see("a", { tools: [tool("two")], cut: null })
    await new Promise((turn) => setImmediate(turn))
    resolve()
    await Promise.all([first, second])
    expect(told).toEqual(["one", "two"])
    expect(tools.isTold(tool("two"))).toBe(true)
  })
})
