import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ToolDefinition } from "../../call/definition/tool-definition.ts"
import type { JsonObject } from "../../call/json/json.ts"
import type { Access, ClassifyRule, ServerPolicy } from "./rule.ts"
import { parseTargetPattern } from "./target-pattern.ts"
import { toolAccess } from "./tool-access.ts"

const trusted: ServerPolicy = { id: "s", trust: "annotations", pin: "full" }
const untrusted: ServerPolicy = { id: "s", trust: "none", pin: "full" }

function tool(name: string, properties: JsonObject = {}, annotations?: JsonObject): ToolDefinition {
  const inputSchema = { type: "object", properties }
  return annotations === undefined ? { name, inputSchema } : { name, inputSchema, annotations }
}

function classify(text: string, access: Access): ClassifyRule {
  const parsed = parseTargetPattern(text)
  if (!parsed.ok) throw new Error(parsed.problem)
  return { access, target: parsed.pattern, origin: { where: "test" } }
}

function accessOf(definition: ToolDefinition, server = trusted, rules: readonly ClassifyRule[] = []): string {
  const { access, from, counts } = toolAccess(definition, { server: "s", tool: definition.name }, server, rules)
  return `${access} by ${from}${counts ? "" : ", a label"}`
}

describe("toolAccess by name", () => {
  it.each([
    "list_directory",
    "read_file",
    "get_information",
    "k8s_list_pods",
    "listPods",
    "github-search-issues",
    "GetHTTPStatus",
    "tasks.list",
    "describe",
    "get_post",
    "list_open_issues",
  ])("R41: %s reads", (name) => {
    expect(accessOf(tool(name))).toBe("read by name")
    expect(accessOf(tool(name), untrusted)).toBe("read by name, a label")
  })

  it.each([
    "write_file",
    "create_directory",
    "delete_file",
    "execute_command",
    "get_or_create_user",
    "read_and_delete",
    "mark_as_read",
    "open_and_read",
    "get_and_open",
    "readFileAndRun",
    "playlist",
    "forget",
    "constructor",
    "",
  ])("R41, I1: %s writes", (name) => {
    expect(accessOf(tool(name))).toBe("write by default")
    expect(accessOf(tool(name), untrusted)).toBe("write by default")
  })

  it.each([
    { url: { type: "string" } },
    { targetUrl: { type: "string" } },
    { command: { type: "string" } },
    { sql_query: { type: "string" } },
    { script: { type: "string" } },
    { where: { type: "string", format: "uri" } },
    { options: { type: "object", properties: { cmd: { type: "string" } } } },
    { items: { type: "array", items: { anyOf: [{ properties: { query: {} } }] } } },
  ])("a reading name that takes %j writes", (properties) => {
    expect(accessOf(tool("get_thing", properties))).toBe("write by default")
  })

  it("a schema too deep to look through writes", () => {
    let schema: JsonObject = {}
    for (let depth = 0; depth < 100; depth += 1) schema = { items: schema }
    expect(accessOf({ name: "get_thing", inputSchema: schema })).toBe("write by default")
  })

  it("is a label where the definition is not known", () => {
    expect(toolAccess(null, { server: "s", tool: "list_pods" }, trusted, [])).toEqual({
      access: "read",
      from: "name",
      counts: false,
    })
  })
})

describe("toolAccess by annotation", () => {
  it.each([
    [{ readOnlyHint: true }, "read by annotation"],
    [{ readOnlyHint: false }, "write by annotation"],
    [{ destructiveHint: true }, "write by annotation"],
    [{ readOnlyHint: true, destructiveHint: true }, "write by annotation"],
    [{ destructiveHint: false }, "write by default"],
    [{ readOnlyHint: "true" }, "write by default"],
  ])("a trusted server's %j: %s", (annotations, wanted) => {
    expect(accessOf(tool("thing", {}, annotations))).toBe(wanted)
  })

  it("I2: no annotation, name or schema of an untrusted server counts as reading", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("list_x", "get_env", "thing", "delete_x"),
        fc.record({ readOnlyHint: fc.boolean(), destructiveHint: fc.boolean() }, { requiredKeys: [] }),
        fc.constantFrom(untrusted, undefined),
        (name, annotations, server) => {
          const { access, counts } = toolAccess(tool(name, {}, annotations), { server: "s", tool: name }, server, [])
          expect(access === "read" && counts).toBe(false)
        },
      ),
    )
  })
})

describe("toolAccess by rule", () => {
  it("a classify rule answers first, trusted or not", () => {
    const rules = [classify("s(thing)", "read")]
    expect(accessOf(tool("thing", {}, { readOnlyHint: false }), trusted, rules)).toBe("read by classify")
    expect(accessOf(tool("thing"), untrusted, rules)).toBe("read by classify")
    expect(accessOf(tool("list_x"), trusted, [classify("*(list_*)", "write")])).toBe("write by classify")
    expect(accessOf(tool("other"), untrusted, rules)).toBe("write by default")
  })

  it("I1: of rules that disagree, write wins in either order", () => {
    const rules = [classify("s", "read"), classify("s(thing)", "write")]
    expect(accessOf(tool("thing"), trusted, rules)).toBe("write by classify")
    expect(accessOf(tool("thing"), trusted, rules.toReversed())).toBe("write by classify")
  })

  it("rules about what is not a tool say nothing of tools", () => {
    expect(accessOf(tool("thing"), trusted, [classify("s(resource:*)", "read")])).toBe("write by default")
  })
})
