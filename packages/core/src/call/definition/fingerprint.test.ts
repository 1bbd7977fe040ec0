import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { nodeHasher } from "../../node/hasher.ts"
import type { JsonObject } from "../json/json.ts"
import { fingerprint } from "./fingerprint.ts"
import type { PinDepth, ToolDefinition } from "./tool-definition.ts"

const tool: ToolDefinition = {
  name: "write_file",
  title: "Write",
  description: "Writes a file.",
  icons: [{ src: "https://example.com/a.png" }],
  inputSchema: {
    type: "object",
    description: "Where and what",
    properties: {
      title: { type: "string", description: "The title", examples: ["Tea"] },
      mode: { enum: ["a", "b"], default: { title: "kept" } },
      tags: { type: "array", items: { anyOf: [{ type: "string", $comment: "why" }] } },
    },
    required: ["title"],
  },
  outputSchema: { $defs: { description: { type: "number", title: "Size" } } },
  annotations: { title: "Writer", readOnlyHint: false },
  _meta: { title: "kept" },
}

/** The tool with the member at this path set to a value, or gone. */
function changed(path: string, value?: unknown): ToolDefinition {
  const copy = structuredClone(tool) as unknown as Record<string, unknown>
  const keys = path.split("/")
  const last = keys.pop() as string
  const parent = keys.reduce<Record<string, unknown>>((inner, key) => inner[key] as Record<string, unknown>, copy)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy as unknown as ToolDefinition
}

function differs(other: ToolDefinition, depth: PinDepth): boolean {
  return fingerprint(other, depth, nodeHasher) !== fingerprint(tool, depth, nodeHasher)
}

describe("fingerprint", () => {
  it.each([
    ["title", "Delete"],
    ["description", "Deletes a file."],
    ["description"],
    ["icons", []],
    ["annotations/title", "Deleter"],
    ["inputSchema/title", "New words"],
    ["inputSchema/description"],
    ["inputSchema/properties/title/description", "Other"],
    ["inputSchema/properties/title/examples", []],
    ["inputSchema/properties/tags/items/anyOf/0/$comment", "because"],
    ["outputSchema/$defs/description/title", "Bytes"],
  ])("I1, I2: words at %s count in full and not in schema", (path, value?: unknown) => {
    expect(differs(changed(path, value), "full")).toBe(true)
    expect(differs(changed(path, value), "schema")).toBe(false)
  })

  it.each([
    ["name", "other"],
    ["annotations/readOnlyHint", true],
    ["annotations/readOnlyHint"],
    ["annotations/destructiveHint", true],
    ["inputSchema/properties/title"],
    ["inputSchema/properties/title/type", "number"],
    ["inputSchema/properties/description", { type: "string" }],
    ["inputSchema/properties/mode/enum", ["a", "b", "c"]],
    ["inputSchema/properties/mode/enum/0", { title: "a" }],
    ["inputSchema/properties/mode/default/title", "changed"],
    ["inputSchema/required", []],
    ["inputSchema/additionalProperties", true],
    ["inputSchema/title", { type: "string" }],
    ["inputSchema/x-extra", { title: "unknown keywords are not ours to skip" }],
    ["outputSchema/$defs/description"],
    ["outputSchema"],
    ["_meta/title", "changed"],
    ["execution", { taskSupport: "required" }],
  ])("I1, I2: what is at %s counts in both", (path, value?: unknown) => {
    expect(differs(changed(path, value), "full")).toBe(true)
    expect(differs(changed(path, value), "schema")).toBe(true)
  })

  it("takes annotations that hold only a title for none, in schema", () => {
    const bare = { name: "t" }
    const titled = { name: "t", annotations: { title: "T" } }
    expect(fingerprint(titled, "schema", nodeHasher)).toBe(fingerprint(bare, "schema", nodeHasher))
    expect(fingerprint(titled, "full", nodeHasher)).not.toBe(fingerprint(bare, "full", nodeHasher))
  })

  it("sees a member called __proto__", () => {
    const hidden = JSON.parse('{"name":"t","inputSchema":{"properties":{"__proto__":{"type":"string"}}}}')
    const plain = JSON.parse('{"name":"t","inputSchema":{"properties":{}}}')
    expect(fingerprint(hidden, "schema", nodeHasher)).not.toBe(fingerprint(plain, "schema", nodeHasher))
  })

  it("does not depend on the order of keys", () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), fc.constantFrom<PinDepth>("full", "schema"), (numbers, depth) => {
        expect(differs(shuffled(tool, () => numbers.next().value as number) as ToolDefinition, depth)).toBe(false)
      }),
    )
  })

  it("is a constant where nothing is pinned", () => {
    expect(fingerprint(tool, "off", nodeHasher)).toBe("off")
    expect(fingerprint({ name: "other" }, "off", nodeHasher)).toBe("off")
  })
})

function shuffled(value: unknown, number: () => number): unknown {
  if (Array.isArray(value)) return value.map((element) => shuffled(element, number))
  if (typeof value !== "object" || value === null) return value
  const ranked = Object.entries(value as JsonObject).map((entry) => ({ entry, rank: number() }))
  const members = ranked
    .sort((a, b) => a.rank - b.rank)
    .map(({ entry: [key, inner] }) => [key, shuffled(inner, number)])
  return Object.fromEntries(members)
}
