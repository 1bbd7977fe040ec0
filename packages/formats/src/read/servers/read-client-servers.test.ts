import { readFileSync } from "node:fs"
import { nodeHasher } from "@byleave/core/node"
import { describe, expect, it } from "vitest"
import { loadConfig } from "../../load-config.ts"

const env = new Map([["TRACKER_TOKEN", "t0ken-value"]])
const load = (text: string) => loadConfig(text, { name: "mcp.json", folder: "/home/ada", env, hasher: nodeHasher })
const fixture = readFileSync(new URL("../../fixtures/mcp-servers.json", import.meta.url), "utf8")

describe("a client's mcpServers", () => {
  const result = load(fixture)
  const config = result.ok ? result.config : undefined

  it("gives the same servers", () => {
    expect(config?.format).toBe("mcp-servers")
    expect(config?.servers.map(({ id, trust, transport }) => [id, trust, transport.kind])).toEqual([
      ["files", "none", "stdio"],
      ["tracker", "none", "sse"],
    ])
    expect(config?.secrets).toEqual(["t0ken-value"])
  })

  it("R39: carries tool lists over as rules that name tools literally", () => {
    expect(config?.policy.rules.map(({ effect, target }) => [effect, target.server, target.name])).toEqual([
      ["hide", "files", "move_file"],
      ["allow", "files", "read_file"],
      ["allow", "files", "list[*]"],
    ])
    expect(config?.policy.default).toBe("ask")
  })

  it("names in warnings all that it did not carry, and what now runs unasked", () => {
    expect(result.warnings.map(({ code, line }) => [code, line])).toEqual([
      ["carried-allow", 8],
      ["literal-pattern", 8],
      ["unused-key", 10],
      ["server-disabled", 17],
      ["unused-key", 19],
    ])
  })

  it("reads the servers of an editor's file, too", () => {
    const text = `{ "inputs": [], "servers": { "web": { "type": "http", "url": "https://x.example/\${env:TRACKER_TOKEN}" } } }`
    const editors = load(text)
    expect(editors).toMatchObject({
      ok: true,
      warnings: [],
      config: { servers: [{ id: "web", transport: { kind: "http", url: "https://x.example/t0ken-value" } }] },
    })
  })

  it.each([
    { text: '{ "mcpServers": { "a": { "cmd": "x" } } }', says: "Did you mean `command`?" },
    { text: '{ "mcpServers": {} }', says: "Write them under `mcpServers`." },
  ])("says of $text: $says", ({ text, says }) => {
    expect(load(text).warnings.map(({ message }) => message)).toContainEqual(expect.stringContaining(says))
  })

  it.each([
    { text: `{ "mcpServers": { "a": { "url": "\${input:address}" } } }`, code: "bad-value" },
    { text: '{ "mcpServers": { "a": { "args": [] } } }', code: "missing-key" },
    { text: '{ "mcpServers": { "a": { "command": "x" }, "a": { "command": "y" } } }', code: "duplicate-key" },
    { text: '{ "mcpServers": { "__proto__": { "command": "x" } } }', code: "bad-server-id" },
    { text: '{ "mcpServers": { "a": { "command": "x", "autoApprove": "read" } } }', code: "wrong-type" },
    { text: '{ "mcpServers": { "a": { "command": "x" }', code: "syntax" },
    { text: '{ "mcpServers": { "a": { "cmd": "x" } } }', code: "missing-key" },
  ])("refuses $text: $code", ({ text, code }) => {
    expect(load(text)).toMatchObject({
      ok: false,
      problems: expect.arrayContaining([expect.objectContaining({ code })]),
    })
  })
})
