import type { ServerView, SessionView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import type { WaitingCall } from "../data/live/waiting-table.ts"
import { paletteGroups } from "./palette-groups.ts"

const call = (id: string, path: string): WaitingCall =>
  ({
    id,
    kind: "tool",
    tool: { server: "files", tool: "write_file" },
    preview: [{ name: "path", text: path, isSecret: false }],
  }) as unknown as WaitingCall
const session = {
  key: "s 1",
  principal: "laptop",
  id: "a",
  named: false,
  label: "Spring clean",
} as unknown as SessionView
const server = { id: "files", target: "npx server-filesystem" } as unknown as ServerView
const source = { calls: [call("1", "notes.txt"), call("2", "drafts/a.md")], sessions: [session], servers: [server] }

const titles = (query: string) => paletteGroups(query, source).map(({ title }) => title)
const targets = (query: string, title: string) =>
  paletteGroups(query, source)
    .find((group) => group.title === title)
    ?.items.map((item) => ("to" in item ? item.to : item.theme))

describe("paletteGroups", () => {
  it("shows everything there is before anybody typed, and nothing to search for", () => {
    expect(titles("")).toEqual(["Waiting calls", "Pages", "Sessions", "Servers"])
  })

  it("finds a waiting call by parts of words, in any order, and leads to it", () => {
    expect(targets("draft write", "Waiting calls")).toEqual(["/?open=2"])
  })

  it("finds a session by its name", () => {
    expect(targets("spring", "Sessions")).toEqual(["/sessions/s%201"])
  })

  it("offers to search for what it does not find", () => {
    expect(titles("zzz & more")).toEqual(["Search"])
    expect(targets("zzz & more", "Search")).toEqual(["/?q=zzz%20%26%20more", "/activity?text=zzz%20%26%20more"])
  })

  it("changes the appearance", () => {
    expect(targets("dark", "Appearance")).toEqual(["dark"])
  })

  it("shows a few of many", () => {
    const calls = Array.from({ length: 10_000 }, (_, at) => call(`${at}`, `file ${at}`))
    expect(paletteGroups("file", { ...source, calls })[0]?.items).toHaveLength(6)
  })
})
