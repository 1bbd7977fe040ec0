import { createUnreadBudget } from "@byleave/core"
import { expect, it } from "vitest"
import { createProgramConnections, mostOpen, type ProgramConnection } from "./program-connections.ts"

/** The programs of a credential, of which nobody tells one from another. */
const as = (token: string, program = "") => ({ token, program })

const megabyte = 1024 * 1024

function open() {
  const connections = createProgramConnections(createUnreadBudget(() => 0))
  const brokenOff: string[] = []
  const ended: string[] = []
  /** A connection with so much that nobody has read. */
  const connect = (token: string, name: string, unread = 0, kind: ProgramConnection["kind"] = "line") => {
    const connection = {
      ...{ token, program: "", kind, since: 5, size: unread },
      unread: () => connection.size,
      end: () => ended.push(name),
      breakOff: () => brokenOff.push(name),
    }
    connections.open(connection)
    connections.wrote(connection)
    return connection
  }
  return { connections, connect, brokenOff, ended }
}

it.each(["line", "stream"] as const)(
  "I1: as many as it may have of a kind are open, for each credential: %s",
  (kind) => {
    const { connections, connect } = open()
    const opened = Array.from({ length: mostOpen[kind] }, (_, at) => connect("prog", `${at}`, 0, kind))
    expect(connections.mayOpen(as("prog"), kind)).toBe(false)
    expect(connections.mayOpen(as("prog"), kind === "line" ? "stream" : "line")).toBe(true)
    expect(connections.mayOpen(as("other"), kind)).toBe(true)
    for (const connection of opened.slice(0, 1)) connections.close(connection)
    expect(connections.mayOpen(as("prog"), kind)).toBe(true)
  },
)

it("I2: when too much of a credential's is unread, those that read least are broken off, and nobody else's", () => {
  const { connections, connect, brokenOff } = open()
  connect("other", "others", 120 * megabyte)
  connect("prog", "slow", 60 * megabyte)
  connect("prog", "slower", 68 * megabyte, "stream")
  const quick = connect("prog", "quick", 1_000)
  connections.wrote(quick)
  expect(brokenOff).toEqual([])
  quick.size = megabyte
  connections.wrote(quick)
  expect(brokenOff).toEqual(["slower"])
  connections.wrote(quick)
  expect(brokenOff).toEqual(["slower"])
})

it("I3: those of a revoked credential end, and those that it opened later do not", () => {
  const { connections, connect, ended } = open()
  for (const token of ["prog", "other"]) connect(token, token)
  connections.endRevoked({ token: "prog", until: 5 })
  expect(ended).toEqual([])
  connections.endRevoked({ token: "prog", until: 6 })
  expect(ended).toEqual(["prog"])
})

it("I4: as many answers as it may are followed by each credential, over whichever connections", () => {
  const { connections } = open()
  for (let n = 0; n < mostOpen.follow; n++) expect(connections.beginFollowing(as("prog"))).toBe(true)
  expect(connections.beginFollowing(as("prog"))).toBe(false)
  expect(connections.beginFollowing(as("other"))).toBe(true)
  connections.endFollowing(as("prog"))
  expect(connections.beginFollowing(as("prog"))).toBe(true)
  expect(connections.beginFollowing(as("prog"))).toBe(false)
})

it("I1: a program leaves others of its credential room for streams, and for answers to follow", () => {
  const { connections } = open()
  const [one, two] = [as("prog", "one"), as("prog", "two")]
  const stream = { ...one, kind: "stream", since: 5, unread: () => 0, end: () => {}, breakOff: () => {} } as const
  for (let n = 0; n < mostOpen.stream; n++) connections.open({ ...stream })
  expect([connections.mayOpen(one, "stream"), connections.mayOpen(two, "stream")]).toEqual([false, true])
  while (connections.beginFollowing(one));
  expect(connections.beginFollowing(two)).toBe(true)
})

it("names a line that is open, of its own credential alone", () => {
  const { connections } = open()
  const line = {
    ...as("prog", "one"),
    kind: "line",
    since: 5,
    unread: () => 0,
    end: () => {},
    breakOff: () => {},
  } as const
  connections.open(line)
  connections.open({ ...line, ...as("prog", "two"), kind: "stream" })
  const asked = [
    connections.stands("prog", "one"),
    connections.stands("other", "one"),
    connections.stands("prog", "two"),
  ]
  expect(asked).toEqual([true, false, false])
  connections.close(line)
  expect(connections.stands("prog", "one")).toBe(false)
})
