import { describe, expect, it } from "vitest"
import { serverView, toolView, waitingCall } from "../fixtures/waiting-call.ts"
import { breadthChoices } from "./breadths.ts"

const byName = { access: "read", accessFrom: "name" } as const
const classified = { access: "read", accessFrom: "classify" } as const
const read = waitingCall({ tool: { server: "files", tool: "read_file" }, access: "read" })
const namesOf = (choices: ReturnType<typeof breadthChoices>) => choices.map(({ name }) => name)

describe("breadthChoices", () => {
  it("offers this server's reads only with a call that is one of them, and freezes their names", () => {
    const server = serverView([toolView("write_file"), toolView("read_file", classified), toolView("list", classified)])
    expect(namesOf(breadthChoices(waitingCall(), server, "allow"))).toEqual([
      "file",
      "folder",
      "tool",
      "server",
      "custom",
    ])
    const reads = breadthChoices(read, server, "allow").find(({ name }) => name === "reads")
    expect(reads?.breadth).toEqual({ kind: "reads", server: "files", tools: ["list", "read_file"] })
  })

  it("does not believe a name on a server that is not trusted", () => {
    const tools = [toolView("read_file", byName)]
    expect(namesOf(breadthChoices(read, serverView(tools), "allow"))).not.toContain("reads")
    expect(namesOf(breadthChoices(read, serverView(tools, "annotations"), "allow"))).toContain("reads")
  })

  it("never offers reads to deny, nor where nothing is known of the server", () => {
    const server = serverView([toolView("read_file", classified)])
    expect(namesOf(breadthChoices(read, server, "deny"))).not.toContain("reads")
    expect(namesOf(breadthChoices(read, null, "allow"))).toEqual(["file", "folder", "tool", "server", "custom"])
  })

  it("offers nothing to remember for what is not a tool, but to deny its whole server", () => {
    const resource = waitingCall({ kind: "resource" })
    expect(breadthChoices(resource, null, "allow")).toEqual([])
    expect(namesOf(breadthChoices(resource, null, "deny"))).toEqual(["server"])
  })
})
