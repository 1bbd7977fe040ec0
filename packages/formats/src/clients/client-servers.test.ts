import type { JsonValue } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { type ClientProgram, clientPrograms } from "./client-programs.ts"
import { clientServersIn } from "./client-servers.ts"

type Entry = Readonly<Record<string, JsonValue>>

function kindOf(client: ClientProgram, entry: Entry): string {
  const found = clientServersIn(JSON.stringify({ servers: { both: entry } }), client, {
    syntax: "json",
    servers: [["servers"]],
  })
  return found.ok ? (found.servers[0]?.reached.kind ?? "none") : found.message
}

function commandOf({ command }: ClientProgram, ...[program = "", ...args]: readonly string[]): Entry {
  return "line" in command
    ? { [command.line]: [program, ...args] }
    : { [command.command]: program, [command.args]: args }
}

describe.each(clientPrograms.map((client) => ({ id: client.id, client })))("an entry of $id", ({ client }) => {
  const plain = commandOf(client, "npx", "x")
  const wrapped = commandOf(client, "byleave", "wrap", "--name", "x", "--", "npx", "x")
  const [url = "url"] = client.url
  const address: Entry = { [url]: "https://a.test/mcp", ...(client.type && { [client.type.key]: client.type.value }) }

  it("with one way to be reached is that way", () => {
    const kinds = [plain, wrapped, address].map((entry) => kindOf(client, entry))
    expect(kinds).toEqual(["command", "wrapped", "address"])
    expect(kindOf(client, { ...plain, type: "stdio" })).toBe("command")
    expect(kindOf(client, { ...plain, [url]: "" })).toBe("command")
  })

  it.each(["url", "httpUrl", "serverUrl", "uri", "sse_url", "endpoint", "tcp"])(
    "I1: with a command and %s is neither, behind Byleave or not",
    (key) => {
      for (const entry of [plain, wrapped]) expect(kindOf(client, { ...entry, [key]: "https://a.test" })).toBe("other")
    },
  )

  it.each(["http", "sse", "remote", "streamable-http", "anything", 1])(
    "I1: with a command and type %s is none",
    (type) => {
      for (const entry of [plain, wrapped]) {
        expect(kindOf(client, { ...entry, type })).toBe("other")
        expect(kindOf(client, { ...entry, transport: type })).toBe("other")
      }
    },
  )

  it("I1: with an address and a type that is started, or with two addresses, is none", () => {
    expect(kindOf(client, { ...address, type: "stdio" })).toBe("other")
    expect(kindOf(client, { ...address, transportType: "stdio" })).toBe("other")
    expect(kindOf(client, { ...address, serverUrl: "https://b.test" })).toBe("other")
  })
})
