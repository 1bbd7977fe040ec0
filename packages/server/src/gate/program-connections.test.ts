import { createUnreadBudget } from "@byleave/core"
import { expect, it } from "vitest"
import { createProgramConnections, mostOpen, type ProgramConnection } from "./program-connections.ts"

const megabyte = 1024 * 1024

function open() {
  const connections = createProgramConnections(createUnreadBudget(() => 0))
  const brokenOff: string[] = []
  const ended: string[] = []
  /** A connection with so much that nobody has read. */
  const connect = (token: string, name: string, unread = 0, kind: ProgramConnection["kind"] = "line") => {
    const connection = {
      ...{ token, kind, since: 5, size: unread },
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
    expect(connections.mayOpen("prog", kind)).toBe(false)
    expect(connections.mayOpen("prog", kind === "line" ? "stream" : "line")).toBe(true)
    expect(connections.mayOpen("other", kind)).toBe(true)
    for (const connection of opened.slice(0, 1)) connections.close(connection)
    expect(connections.mayOpen("prog", kind)).toBe(true)
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
  for (let n = 0; n < mostOpen.follow; n++) expect(connections.beginFollowing("prog")).toBe(true)
  expect(connections.beginFollowing("prog")).toBe(false)
  expect(connections.beginFollowing("other")).toBe(true)
  connections.endFollowing("prog")
  expect(connections.beginFollowing("prog")).toBe(true)
  expect(connections.beginFollowing("prog")).toBe(false)
})
