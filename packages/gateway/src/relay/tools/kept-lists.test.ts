import type { ToolDefinition } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { createKeptLists } from "./kept-lists.ts"
import type { ToolListing } from "./read-tools.ts"

const tool = (name: string, description = ""): ToolDefinition => ({
  name,
  description,
  inputSchema: { type: "object" },
})
const listing = (...tools: readonly ToolDefinition[]): ToolListing => ({ tools, cut: null })

/** Principals' connections with lists, and the names of those that were told to forget theirs. */
function open(most?: number) {
  const lists = createKeptLists(most)
  const forgotten: string[] = []
  const list = (name: string, principal: string | null, ...tools: readonly ToolDefinition[]): ToolListing => {
    const owner = principal === null ? null : { principal, forget: () => void forgotten.push(name) }
    return lists.keep(name, listing(...tools), owner)
  }
  return { lists, list, forgotten }
}

describe("lists of several connections", () => {
  it("I1: are one list where they are in the same words", () => {
    const { lists, list } = open()
    const all = ["a", "b", "c"].map((name) => list(name, "ann", tool("one"), tool("two")))
    expect(new Set(all).size).toBe(1)
    expect(lists.lists()).toHaveLength(1)
    list("d", "ann", tool("two"), tool("one"))
    expect(lists.keep("e", { tools: [tool("one"), tool("two")], cut: "cut" }, null)).not.toBe(all[0])
    expect(new Set(lists.lists().flatMap(({ tools }) => tools)).size).toBe(2)
  })

  it("I1: share what is the same in them", () => {
    const { list } = open()
    const one = list("a", "ann", tool("same"), tool("other", "as a"))
    const two = list("b", "ann", tool("same"), tool("other", "as b"))
    expect(two.tools[0]).toBe(one.tools[0])
    expect(two.tools[1]).toEqual(tool("other", "as b"))
  })

  it("are given in the order in which they were read last, also where one is shared", () => {
    const { lists, list } = open()
    const [one, two] = [list("a", null, tool("one")), list("b", null, tool("two"))]
    expect(lists.lists()).toEqual([one, two])
    list("c", null, tool("one"))
    expect(lists.lists()).toEqual([two, one])
    lists.renew("b", tool("two"))
    expect(lists.lists()).toEqual([one, two])
  })
})

describe("I2: what a principal's connections list", () => {
  const long = (name: string) => tool(name, "x".repeat(1_000))
  const most = 2_500

  it("is kept so far, and forgotten where it was read longest ago", () => {
    const { lists, list, forgotten } = open(most)
    for (const name of ["a", "b", "c", "d"]) list(name, "ann", long(name))
    expect(forgotten).toEqual(["a", "b"])
    expect(lists.lists().flatMap(({ tools }) => tools.map(({ name }) => name))).toEqual(["c", "d"])
  })

  it("counts once where it is the same", () => {
    const { list, forgotten } = open(most)
    for (const name of ["a", "b", "c", "d"]) list(name, "ann", long("same"), long("too"))
    expect(forgotten).toEqual([])
  })

  it("is kept where it alone is longer, and where it stands for one that was forgotten it counts", () => {
    const { lists, list, forgotten } = open(most)
    list("a", "ann", long("1"), long("2"))
    list("b", "ann", long("3"), long("4"), long("5"))
    expect(forgotten).toEqual(["a"])
    lists.renew("a", long("1"))
    expect(forgotten).toEqual(["a", "b"])
    expect(lists.lists().at(-1)?.tools).toHaveLength(1)
  })

  it("I3: takes no room of another principal's, nor of a connection for which nothing was declared", () => {
    const { list, forgotten } = open(most)
    list("common", null, long("1"), long("2"))
    list("bob's", "bob", long("3"), long("4"))
    for (const name of ["a", "b", "c"]) list(name, "ann", long(name), long("5"))
    expect(forgotten).toEqual(["a", "b"])
  })
})
