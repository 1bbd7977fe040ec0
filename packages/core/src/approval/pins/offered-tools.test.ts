import { describe, expect, it } from "vitest"
import { fingerprint } from "../../call/definition/fingerprint.ts"
import type { PinDepth, ToolDefinition } from "../../call/definition/tool-definition.ts"
import { nodeHasher } from "../../node/hasher.ts"
import { offeredTools } from "./offered-tools.ts"
import type { Pin } from "./pin.ts"
import { observeTools, rejectDefinition, withQuarantine } from "./pins.ts"

const read: ToolDefinition = { name: "read", description: "Reads a file", inputSchema: { type: "object" } }
const readReworded: ToolDefinition = { ...read, description: "Reads any file at all" }
const readReshaped: ToolDefinition = { ...read, inputSchema: { type: "object", required: ["path"] } }
const write: ToolDefinition = { name: "write", inputSchema: { type: "object" } }

function see(pins: readonly Pin[], tools: readonly ToolDefinition[], depth: PinDepth = "full") {
  const { puts } = observeTools({ server: "files", tools, pins, depth, at: 1_000, hasher: nodeHasher })
  const byTool = new Map([...pins, ...puts].map((pin) => [pin.tool, pin]))
  return { pins: [...byTool.values()] }
}

const print = (definition: ToolDefinition, depth: PinDepth) => fingerprint(definition, depth, nodeHasher)

describe("offeredTools", () => {
  const offered = (tools: readonly ToolDefinition[], pins: readonly Pin[], more: object = {}) =>
    offeredTools(tools, { pins, depth: "full", newTools: "hold", hasher: nodeHasher, ...more })
  const { pins } = see([], [read])

  it("I1: tells what was accepted instead of what has changed, and nothing of what is new", () => {
    expect(offered([readReworded, write], pins)).toEqual([read])
    expect(offered([readReworded, write], see(pins, [readReworded, write]).pins)).toEqual([read])
    expect(offered([readReworded, write], pins, { newTools: "offer" })).toEqual([read, write])
    expect(offered([write], [])).toEqual([])
  })

  it("I1: tells nothing that was rejected as it came, and nothing in quarantine", () => {
    const fresh = see(pins, [read, write]).pins.find(({ tool }) => tool === "write") as Pin
    const rejected = rejectDefinition(fresh, print(write, "full"), "ann", 2_000)
    if (!rejected.ok) throw new Error("not rejected")
    expect(offered([read, write], [...pins, rejected.pin], { newTools: "offer" })).toEqual([read])
    expect(offered([read], [withQuarantine(pins[0] as Pin, { at: 1, by: "ann" })])).toEqual([])
    const own: Pin = {
      server: "files",
      tool: "",
      of: "server",
      accepted: null,
      proposed: null,
      quarantined: { at: 1, by: "ann" },
    }
    expect(offered([read], [...pins, own], { depth: "off" })).toEqual([])
  })

  it("I2: tells what is accepted as it stands, in the server's order, and all of it where nothing is pinned", () => {
    expect(offered([readReworded], see([], [read], "schema").pins, { depth: "schema" })).toEqual([readReworded])
    expect(offered([write, readReshaped], pins, { depth: "off" })).toEqual([write, readReshaped])
  })
})
