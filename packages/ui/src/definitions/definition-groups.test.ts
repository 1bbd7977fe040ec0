import type { PinView } from "@byleave/api"
import { describe, expect, it } from "vitest"
import { argumentsOf, definitionGroups, differenceSummary, placeSteps } from "./definition-groups.ts"

const words = { title: null, description: "Reads a file", icon: null, annotations: null, inputSchema: null }
const whole = { name: "read_file" }
const accepted = { definition: words, whole, fingerprint: "f1", at: 1, by: null }

function pin(differences: PinView["differences"], more: Partial<PinView> = {}): PinView {
  const proposed = { definition: words, whole, fingerprint: "f2", seenAt: 2, rejected: null }
  const of = { server: "files", tool: "read_file", of: "tool", state: "changed", depth: "full" } as const
  return { ...of, accepted, proposed, quarantined: null, differences, flags: [], ...more }
}

const described = {
  path: "/description",
  kind: "changed",
  before: "Read-only",
  after: "Sends",
  matters: "words",
} as const
const added = {
  path: "/inputSchema/properties/to",
  kind: "added",
  after: { type: "string" },
  matters: "shape",
} as const
const hinted = { path: "/annotations/readOnlyHint", kind: "removed", before: true, matters: "hints" } as const

describe("definitionGroups", () => {
  it("puts hints before shape before words, and leaves out what did not change", () => {
    const all = definitionGroups([described, added, hinted])
    expect(all.map(({ matters }) => matters)).toEqual(["hints", "shape", "words"])
    expect(definitionGroups([described]).map(({ matters }) => matters)).toEqual(["words"])
  })

  it("shows text as it is and everything else as JSON, and says where nothing stood", () => {
    const [hints, shape, said] = definitionGroups([described, added, hinted])
    expect(said?.changes).toMatchObject([{ before: "Read-only", after: "Sends" }])
    expect(shape?.changes).toMatchObject([{ before: null, after: '{\n  "type": "string"\n}' }])
    expect(hints?.changes).toMatchObject([{ before: "true", after: null }])
  })
})

it.each([
  { path: "/description", steps: [{ name: "description" }] },
  {
    path: "/inputSchema/properties/path/description",
    steps: [{ ours: "argument", name: "path" }, { name: "description" }],
  },
  { path: "/inputSchema/required/0", steps: [{ ours: "required arguments" }] },
  { path: "/outputSchema/properties/a~1b", steps: [{ ours: "result field", name: "a/b" }] },
  { path: "/annotations/readOnlyHint", steps: [{ ours: "hint" }, { name: "readOnlyHint" }] },
  { path: "", steps: [{ ours: "the whole definition" }] },
])("tells words of ours from names of the server in $path", ({ path, steps }) => {
  expect(placeSteps(path)).toEqual(steps)
})

describe("differenceSummary", () => {
  it("counts by what it concerns", () => {
    expect(differenceSummary(pin([described, added]))).toBe("Schema and description changed")
  })

  it("says that a tool nobody accepted is new", () => {
    expect(differenceSummary(pin([], { accepted: null }))).toBe("Added after this server was accepted")
  })
})

describe("argumentsOf", () => {
  it("reads names, types and which of them are required", () => {
    const schema = { properties: { path: { type: "string" }, __proto__x: {} }, required: ["path"] }
    expect(argumentsOf(schema)).toEqual([
      { name: "path", type: "string", required: true, description: null },
      { name: "__proto__x", type: "any", required: false, description: null },
    ])
  })

  it("takes a schema that says nothing for no arguments", () => {
    expect(argumentsOf({ properties: ["a"] })).toEqual([])
    expect(argumentsOf(null)).toEqual([])
  })
})
