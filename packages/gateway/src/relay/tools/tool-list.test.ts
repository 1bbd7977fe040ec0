import type { ToolDefinition } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { defaultToolListLimits } from "./read-tools.ts"
import { createToolList } from "./tool-list.ts"

const tool = (description: string): ToolDefinition => ({ name: "t", description, inputSchema: { type: "object" } })

/** A server that lists what the test says, and a gate that looks at it when the test says so. */
function open(first: ToolDefinition) {
  const state = {
    listed: [first],
    seen: [] as unknown[],
    seeing: Promise.resolve(),
    time: 0,
    takes: 0,
    reads: 0,
    goodMs: Number.POSITIVE_INFINITY,
  }
  const list = createToolList({
    read: async () => {
      state.reads += 1
      state.time += state.takes
      return { tools: state.listed, cut: null }
    },
    see: async (listing) => {
      await state.seeing
      state.seen.push(...listing.tools.map(({ description }) => description))
      return listing
    },
    limits: defaultToolListLimits,
    goodMs: () => state.goodMs,
    now: () => state.time,
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
    expect(list.known()).toBeNull()
    resolve()
    expect((await reading).get("t")).toBe(list.known()?.get("t"))
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
    expect(list.known()).toBeNull()
    expect((await list.tools()).get("t")?.description).toBe("two")
  })

  it("I2: that are still being read when they change are not kept either", async () => {
    const { state, list } = open(tool("one"))
    const reading = list.tools()
    list.changed()
    state.listed = [tool("two")]
    await reading
    expect(list.known()).toBeNull()
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
    expect(list.known()?.get("t")?.description).toBe("two")
  })

  it("are not read again for a page that says the same", async () => {
    const { state, list } = open(tool("one"))
    await list.tools()
    await list.seePage(undefined, { tools: [tool("one")] })
    expect(state.seen).toEqual(["one"])
  })

  it.each([
    { takes: 0, waits: 1_000 },
    { takes: 500, waits: 10_000 },
  ])(
    "that take $takes ms to read are read for an unknown name every $waits ms, and no sooner",
    async ({ takes, waits }) => {
      const { state, list } = open(tool("one"))
      Object.assign(state, { takes })
      await list.again()
      await turn()
      state.time = waits - 1
      await list.again()
      expect(state.reads).toBe(1)
      state.time = waits
      await list.again()
      expect(state.reads).toBe(2)
    },
  )
})

describe("a list that grows old", () => {
  it("I4: is read again before it is used", async () => {
    const { state, list } = open(tool("one"))
    state.goodMs = 30_000
    await list.tools()
    state.listed = [tool("two")]
    state.time += 29_999
    expect((await list.tools()).get("t")?.description).toBe("one")
    state.time += 1
    expect(list.known()).toBeNull()
    expect((await list.tools()).get("t")?.description).toBe("two")
    expect(state.reads).toBe(2)
  })

  it("stays the same one where nothing has changed", async () => {
    const { state, list } = open(tool("one"))
    state.goodMs = 30_000
    const first = await list.tools()
    state.listed = [tool("one")]
    state.time += 30_000
    expect(await list.tools()).toBe(first)
  })

  it("I2: what was being read when it is read anew is not kept", async () => {
    const { state, list } = open(tool("old"))
    const { promise, resolve } = Promise.withResolvers<void>()
    state.seeing = promise
    const early = list.tools()
    await turn()
    state.listed = [tool("new")]
    state.seeing = Promise.resolve()
    expect((await list.anew()).get("t")?.description).toBe("new")
    resolve()
    await early
    expect(list.known()?.get("t")?.description).toBe("new")
  })

  it("read anew for a call is read in its turn, and nobody else waits for it", async () => {
    const inTurns: boolean[] = []
    const list = createToolList({
      read: (inTurn) => {
        inTurns.push(inTurn)
        if (inTurn) return new Promise(() => {})
        return Promise.resolve({ tools: [tool("one")], cut: null })
      },
      see: async (listing) => listing,
      limits: defaultToolListLimits,
      goodMs: () => Number.POSITIVE_INFINITY,
      now: () => 0,
    })
    void list.anew()
    expect((await list.tools()).get("t")?.description).toBe("one")
    expect(inTurns).toEqual([true, false])
  })

  it("that change while they are read for a call are read again, and not used where they keep changing", async () => {
    let times = 0
    let changing = 1
    const list = createToolList({
      read: async () => {
        times += 1
        const listed = { tools: [tool(`time ${times}`)], cut: null }
        if (changing > 0) list.changed()
        changing -= 1
        return listed
      },
      see: async (listing) => listing,
      limits: defaultToolListLimits,
      goodMs: () => Number.POSITIVE_INFINITY,
      now: () => 0,
    })
    expect((await list.anew()).get("t")?.description).toBe("time 2")
    changing = 100
    await expect(list.anew()).rejects.toThrow("kept changing")
  })

  it("that are forgotten are not known any more, and are read again when they are needed", async () => {
    const { state, list } = open(tool("one"))
    await list.tools()
    list.forget()
    expect([list.known(), list.last()]).toEqual([null, null])
    expect((await list.tools()).get("t")?.description).toBe("one")
    expect(state.reads).toBe(2)
  })

  it("that are forgotten while they are read for a call are given to it, and not kept", async () => {
    const { state, list } = open(tool("one"))
    const seen = Promise.withResolvers<void>()
    state.seeing = seen.promise
    const reading = list.anew()
    await turn()
    list.forget()
    seen.resolve()
    expect((await reading).get("t")?.description).toBe("one")
    expect(list.last()).toBeNull()
    expect(state.reads).toBe(1)
  })
})
