import { describe, expect, it } from "vitest"
import { waitingCall } from "../../data/fixtures/waiting-call.ts"
import { filterCalls, filterChoices, listedCalls, noFilter } from "./list/filter-calls.ts"
import { groupByRisk, groupCalls } from "./list/group-calls.ts"
import { filterIn, searchFor } from "./list/list-address.ts"
import { neighbour, nextToOpen, stepped } from "./list/neighbour.ts"
import { nothingSelected, stillWaiting, toggled, toggledAll } from "./list/selection.ts"
import { type callOrders, sortCalls } from "./list/sort-calls.ts"
import { urgencyOf } from "./list/urgency.ts"

const keysOf = (calls: Parameters<typeof groupCalls>[0], order?: readonly string[]): readonly string[] =>
  groupCalls(calls, order).lines.map(({ kind, key }) => (kind === "call" ? key : kind))

describe("grouping", () => {
  it("puts calls under their session, and several of one tool under it", () => {
    const calls = [
      waitingCall("1", { session: "a" }),
      waitingCall("2", { session: "b" }),
      waitingCall("3", { session: "a", tool: "move_file" }),
      waitingCall("4", { session: "a" }),
    ]
    expect(keysOf(calls)).toEqual(["session", "tool", "1", "4", "3", "session", "2"])
  })

  it("keeps sessions where they stood when the one that waited longest is settled", () => {
    const first = waitingCall("1", { session: "a" })
    const rest = [waitingCall("2", { session: "b" }), waitingCall("3", { session: "a" })]
    const { order } = groupCalls([first, ...rest])
    expect(keysOf(rest, order)).toEqual(["session", "3", "session", "2"])
    expect(keysOf(rest)).toEqual(["session", "2", "session", "3"])
  })

  it("sorted by risk, puts no call above a riskier one of another session", () => {
    const calls = [
      { ...waitingCall("1", { session: "a" }), riskLevel: "strong" as const },
      { ...waitingCall("2", { session: "b" }), riskLevel: "strong" as const },
      { ...waitingCall("3", { session: "a" }), riskLevel: "none" as const },
      { ...waitingCall("4", { session: "a" }), riskLevel: "none" as const },
    ]
    const lines = groupByRisk(calls)
    expect(lines.map(({ kind, key }) => (kind === "call" ? key : kind))).toEqual([
      ...["session", "1", "session", "2"],
      ...["session", "tool", "3", "4"],
    ])
    expect(new Set(lines.map(({ key }) => key)).size).toBe(lines.length)
  })

  it("keeps tools of like names apart", () => {
    const calls = [waitingCall("1", { server: "a", tool: "bc" }), waitingCall("2", { server: "ab", tool: "c" })]
    expect(keysOf(calls)).toEqual(["session", "1", "2"])
  })
})

describe("filtering", () => {
  const calls = [
    waitingCall("1", { args: { path: "/tmp/Report.txt" } }),
    waitingCall("2", { server: "tracker", tool: "close", principal: "other", session: "s2" }),
    waitingCall("3", { expiresAt: 60_000 }),
  ]
  const ids = (part: Partial<typeof noFilter>): readonly string[] =>
    filterCalls(calls, { ...noFilter, ...part }, () => "My session", 0).map(({ id }) => id)

  it.each([
    { name: "no filter shows all", part: {}, found: ["1", "2", "3"] },
    { name: "words are looked for in arguments, whatever their case", part: { text: "REPORT" }, found: ["1"] },
    { name: "every word must occur", part: { text: "tracker other" }, found: ["2"] },
    { name: "words are looked for in the session's name", part: { text: "my session" }, found: ["1", "2", "3"] },
    { name: "a server", part: { server: "tracker" }, found: ["2"] },
    { name: "an agent and a tool together", part: { principal: "agent", tool: "close" }, found: [] },
    { name: "a session", part: { session: "s2" }, found: ["2"] },
    { name: "what ends soon", part: { soon: true }, found: ["3"] },
  ])("$name", ({ part, found }) => {
    expect(ids(part)).toEqual(found)
  })

  it("counts what waits and matches, and lists the open call beside it only where that matches, too", () => {
    const matchingOf = (some: typeof calls) => filterCalls(some, { ...noFilter, text: "report" }, () => "", 0)
    const done = (id: string, path: string) => ({ ...waitingCall(id, { args: { path } }), status: "denied" }) as never
    const told = (kept: Parameters<typeof listedCalls>[1]) => {
      const { matching, listed } = listedCalls(calls, kept, matchingOf as never)
      return [matching.length, listed.map(({ id }) => id).join()]
    }
    expect(told(done("4", "notes.txt"))).toEqual([1, "1"])
    expect(told(done("4", "report.txt"))).toEqual([1, "1,4"])
    expect(told(null)).toEqual([1, "1"])
  })

  it("offers what there is", () => {
    const { servers, tools, principals, sessions } = filterChoices(calls)
    expect({ servers, tools, principals, sessions: [...sessions.keys()] }).toEqual({
      servers: ["files", "tracker"],
      tools: ["close", "write_file"],
      principals: ["agent", "other"],
      sessions: ["s1", "s2"],
    })
  })
})

describe("selecting", () => {
  const shown = ["a", "b", "c", "d"]
  it("takes a range from the one ticked last, in either direction", () => {
    const one = toggled(nothingSelected, "c", shown, false)
    expect([...toggled(one, "a", shown, true).ids].sort()).toEqual(["a", "b", "c"])
    expect([...toggled(one, "d", shown, true).ids].sort()).toEqual(["c", "d"])
  })

  it("unticks what is ticked", () => {
    const one = toggled(nothingSelected, "c", shown, false)
    expect(toggled(one, "c", shown, false).ids.size).toBe(0)
    expect(toggledAll(toggledAll(one, shown), shown).ids.size).toBe(0)
  })

  it("drops what no longer waits", () => {
    const all = toggledAll(nothingSelected, shown)
    expect([...stillWaiting(all, new Set(["b"])).ids]).toEqual(["b"])
  })
})

describe("moving", () => {
  it("goes on to the next that waits, and back at the end", () => {
    const shown = [
      { id: "a", status: "pending" },
      { id: "b", status: "denied" },
      { id: "c", status: "pending" },
    ]
    expect(neighbour(shown, "b")).toBe("c")
    expect(neighbour(shown.slice(0, 2), "b")).toBe("a")
    expect(neighbour(shown, "a")).toBe("c")
    expect(neighbour(shown, null)).toBe("a")
    expect(neighbour(shown.slice(1, 2), "b")).toBeNull()
    const answered = { id: "a", openId: "a", path: "/" }
    expect(nextToOpen(answered, shown)).toBe("c")
    expect(nextToOpen({ ...answered, openId: "c" }, shown)).toBeNull()
    expect(nextToOpen({ ...answered, path: "/review/s" }, shown)).toBeNull()
  })

  it("steps along the list and stays at its ends", () => {
    expect(stepped(["a", "b"], null, 1)).toBe("a")
    expect(stepped(["a", "b"], "a", 1)).toBe("b")
    expect(stepped(["a", "b"], "b", 1)).toBe("b")
    expect(stepped([], null, 1)).toBeNull()
  })
})

it.each([
  [null, "none"],
  [3_600_000, "none"],
  [240_000, "soon"],
  [30_000, "now"],
  [0, "over"],
])("a call that ends in %s ms is %s", (end, urgency) => {
  expect(urgencyOf(end, 0)).toBe(urgency)
})

it("what the list is narrowed to stands in the address, and is read from it again", () => {
  const filter = { ...noFilter, text: "notes & more", server: "files", principal: "laptop", soon: true }
  const search = searchFor(filter, "a1")
  expect(search).toEqual({ q: "notes & more", server: "files", agent: "laptop", soon: "1", open: "a1" })
  expect(filterIn(search)).toEqual(filter)
  expect(filterIn({ server: 7, else: "x" })).toEqual(noFilter)
  expect(searchFor(noFilter, null)).toEqual({})
  expect(searchFor({ ...noFilter, sort: "riskiest" }, null)).toEqual({ sort: "riskiest" })
  expect([filterIn({ sort: "riskiest" }).sort, filterIn({ sort: "x" }).sort]).toEqual(["riskiest", "oldest"])
})

it("sorts calls by age or risk; of equally risky ones the oldest stays first", () => {
  const calls = (["none", "strong", "notice", "strong"] as const).map((riskLevel, at) => ({
    ...waitingCall(String(at)),
    riskLevel,
  }))
  const ids = (order: (typeof callOrders)[number]) => sortCalls(calls, order).map(({ id }) => id)
  expect([ids("oldest").join(""), ids("newest").join(""), ids("riskiest").join("")]).toEqual(["0123", "3210", "1320"])
})
