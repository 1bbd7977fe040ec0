import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { SchemaValidator } from "../../call/definition/tool-definition.ts"
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { toolFacts } from "./tool-facts.ts"

const requiresPath: SchemaValidator = () => (value) => (Object.hasOwn(value, "path") ? [] : ["path is required"])

function facts(inputSchema: JsonValue | undefined, validator?: SchemaValidator) {
  return toolFacts({
    tool: { server: "files", tool: "read_file" },
    definition: inputSchema === undefined ? { name: "read_file" } : { name: "read_file", inputSchema },
    server: undefined,
    classify: [],
    pin: "accepted",
    fingerprint: "f",
    ...(validator === undefined ? {} : { validator }),
  })
}

function problems(schema: JsonValue, args: JsonObject, validator?: SchemaValidator): readonly string[] {
  return facts(schema, validator).check?.(args) ?? ["no check"]
}

describe("toolFacts", () => {
  it("carries what it was given and what the name says", () => {
    expect(facts({ type: "object" })).toMatchObject({
      fingerprint: "f",
      pin: "accepted",
      access: "read",
      accessFrom: "name",
      accessCounts: false,
    })
  })

  it("has no check where no schema is known", () => {
    expect(facts(undefined).check).toBeUndefined()
    expect(
      toolFacts({
        tool: { server: "files", tool: "x" },
        definition: null,
        server: undefined,
        classify: [],
        pin: "new",
        fingerprint: "",
      }).check,
    ).toBeUndefined()
  })

  it("reports what the validator finds and undeclared keys together", () => {
    const schema = { type: "object", properties: { path: {} } }
    expect(problems(schema, { path: "/a" }, requiresPath)).toEqual([])
    expect(problems(schema, { Path: "/a" }, requiresPath)).toEqual([
      "path is required",
      '"Path" is not an argument the tool declares',
    ])
  })

  it("knows the prefixes that a schema declares, however many there are", () => {
    const names = Array.from({ length: 40_000 }, (_, n) => `^q${n}-`)
    const schema = {
      patternProperties: Object.fromEntries([...names, "^env_", "^env_long"].map((name) => [name, true])),
    }
    const known = { "q7-a": 1, "q39999-": 1, env_: 1, env_long: 1, env_a: 1 }
    const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`r${n}`, 1]))
    expect(problems(schema, known)).toEqual([])
    expect(problems(schema, unknown)).toHaveLength(20_000)
    expect(problems(schema, { q7: 1, en: 1, a: 1, z: 1 })).toHaveLength(4)
  })

  it("finds a declared prefix wherever one among many begins the key", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "_"), minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), text, (prefixes, key) => {
        const patternProperties = Object.fromEntries(prefixes.map((prefix) => [`^${prefix}`, true]))
        const isDeclared = prefixes.some((prefix) => key.startsWith(prefix))
        expect(problems({ patternProperties }, { [key]: 1 })).toHaveLength(isDeclared ? 0 : 1)
      }),
    )
  })

  it("reports undeclared keys without a validator too", () => {
    expect(problems({ properties: { path: {} } }, { path: 1, force: true })).toHaveLength(1)
  })

  it.each<{ name: string; schema: JsonObject; declared: readonly string[]; undeclared: readonly string[] }>([
    { name: "no properties at all", schema: { type: "object" }, declared: ["x"], undeclared: [] },
    { name: "empty properties", schema: { properties: {} }, declared: [], undeclared: ["x", "toString"] },
    {
      name: "additional properties allowed",
      schema: { properties: { a: {} }, additionalProperties: true },
      declared: ["a"],
      undeclared: ["x"],
    },
    {
      name: "combinations",
      schema: { allOf: [{ properties: { a: {} } }], anyOf: [{ oneOf: [{ properties: { b: {} } }] }] },
      declared: ["a", "b"],
      undeclared: ["x"],
    },
    {
      name: "local references",
      schema: { $ref: "#/$defs/args", $defs: { args: { properties: { a: {} } } } },
      declared: ["a"],
      undeclared: ["x"],
    },
    {
      name: "references nobody can follow",
      schema: { $ref: "https://example.com/schema" },
      declared: [],
      undeclared: ["a"],
    },
    {
      name: "a reference to itself",
      schema: { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/a" } } },
      declared: [],
      undeclared: ["a"],
    },
    {
      name: "a prefix in patternProperties",
      schema: { patternProperties: { "^x-": {} } },
      declared: ["x-a"],
      undeclared: ["a"],
    },
    { name: "any key by pattern", schema: { patternProperties: { "^.*$": {} } }, declared: ["a", "b"], undeclared: [] },
    {
      name: "a regular expression it will not run",
      schema: { properties: {}, patternProperties: { "^(a+)+$": {} } },
      declared: [],
      undeclared: ["aaaa"],
    },
  ])("declared keys: $name", ({ schema, declared, undeclared }) => {
    for (const key of declared) expect(problems(schema, { [key]: 1 })).toEqual([])
    for (const key of undeclared) expect(problems(schema, { [key]: 1 })).toHaveLength(1)
  })

  it("looks at each part of a schema once, however often it is referred to", () => {
    const twenty = Array.from({ length: 20 }, () => ({ $ref: "#/$defs/a" }))
    const schema = { allOf: twenty, $defs: { a: { allOf: twenty, properties: { a: {} } } } }
    expect(problems(schema, { a: 1 })).toEqual([])
  })

  it("fails closed when the schema cannot be compiled, run, or is none", () => {
    const broken: SchemaValidator = () => {
      throw new Error("unknown keyword")
    }
    expect(problems({}, {}, broken)).toEqual(["the tool's schema cannot be used: unknown keyword"])
    expect(problems({}, {}, broken)).toHaveLength(1)
    expect(problems({}, {}, () => broken as never)).toHaveLength(1)
    expect(problems("yes", {})).toHaveLength(1)
    expect(problems(true, {})).toHaveLength(1)
  })
})
