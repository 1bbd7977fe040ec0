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

describe("a long list that is another one each time it is read", () => {
  it("I5: is told at a pace, and what came meanwhile with one telling", async () => {
    let time = 0
    const pauses: number[] = []
    const told: unknown[] = []
    const tools = createServerTools(
      "files",
      {
        offeredTools: async (_server, listed) => listed,
        seeTools: async (_server, listed) => {
          time += 100
          told.push(listed[0]?.description)
        },
      },
      {
        now: () => time,
        pause: async (ms) => {
          pauses.push(ms)
          time += ms
        },
      },
    )
    const listing = (description: string, length: number) => ({
      tools: Array.from({ length }, (_, at) => ({ ...tool(description), name: `t${at}` })),
      cut: null,
    })
    await Promise.all(Array.from({ length: 20 }, (_, at) => tools.see("place", listing(`v${at}`, 1_000))))
    expect([told, pauses]).toEqual([["v19"], []])
    await Promise.all(Array.from({ length: 20 }, (_, at) => tools.see("place", listing(`w${at}`, 1_000))))
    expect([told, pauses]).toEqual([["v19", "w19"], [1_000]])
    // After a short one the next waits for what changed of it alone.
    await tools.see("place", listing("short", 3))
    await tools.see("place", listing("shorter", 2))
    expect([told.slice(2), pauses]).toEqual([
      ["short", "shorter"],
      [1_000, 10_000, 60],
    ])
    await tools.see("place", listing("x".repeat(200_000), 2))
    expect(pauses.at(-1)).toBe(40)
    await tools.see("place", listing("y", 2))
    expect(pauses.at(-1)).toBe(1_000)
  })
})
