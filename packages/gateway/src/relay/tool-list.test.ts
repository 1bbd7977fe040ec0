import type { ToolDefinition } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { createToolList } from "./tool-list.ts"

const tool = (description: string): ToolDefinition => ({ name: "t", description, inputSchema: { type: "object" } })

/** A server that lists what the test says, and a gate that looks at it when the test says so. */
function open(first: ToolDefinition) {
  const state = { listed: [first], seen: [] as unknown[], seeing: Promise.resolve() }
  const list = createToolList({
    read: async () => state.listed,
    see: async (tools) => {
      await state.seeing
      state.seen.push(...tools.map(({ description }) => description))
    },
    now: () => 0,
  })
  return { state, list }
}

const turn = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve, "not yet"))

describe("the tools of a connection", () => {
  it("I1: are nobody's to use before the gate has seen them", async () => {
    const { state, list } = open(tool("one"))
    const { promise, resolve } = Promise.withResolvers<void>()
    state.seeing = promise
    const reading = list.tools()
    expect(await Promise.race([reading, turn()])).toBe("not yet")
    expect(list.known("t")).toBeUndefined()
    resolve()
    expect((await reading).get("t")).toBe(list.known("t"))
    expect(state.seen).toEqual(["one"])
  })

  it("I2: that were read before a change are not kept after it", async () => {
    const { state, list } = open(tool("one"))
    const { promise, resolve } = Promise.withResolvers<void>()
    state.seeing = promise
    const reading = list.tools()
    await turn()
    list.changed()
    state.listed = [tool("two")]
    resolve()
    await reading
    expect(list.known("t")).toBeUndefined()
    expect((await list.tools()).get("t")?.description).toBe("two")
  })

  it.each([
    { name: "a page that differs", cursor: undefined, more: {} },
    { name: "one page of several that differs", cursor: undefined, more: { nextCursor: "2" } },
  ])("I3: are seen anew when $name comes by", async ({ cursor, more }) => {
    const { state, list } = open(tool("one"))
    await list.tools()
    state.listed = [tool("two")]
    await list.seePage(cursor, { tools: [tool("two")], ...more })
    expect(state.seen).toEqual(["one", "two"])
    expect(list.known("t")?.description).toBe("two")
  })

  it("are not read again for a page that says the same", async () => {
    const { state, list } = open(tool("one"))
    await list.tools()
    await list.seePage(undefined, { tools: [tool("one")] })
    expect(state.seen).toEqual(["one"])
  })
})
