import { asObject, type JsonObject, type ScriptedCall, type ScriptedFailure, type ScriptedStep } from "@byleave/core"
import { type ConfigProblem, createReport, type Report } from "../problem.ts"
import { scriptedCallSchema, scriptedFailureSchema, scriptedStepSchema } from "../schema/model-schema.ts"
import { keysOf } from "../schema/schema-node.ts"
import { readJsonValue } from "../text/json-value.ts"
import { readTree } from "../text/read-tree.ts"
import type { YamlNode } from "../text/tree.ts"
import { given, optional, readCount, readFields, readList, readMap, readText, requireKey } from "./fields.ts"

export type ScriptResult =
  | { readonly ok: true; readonly steps: readonly ScriptedStep[] }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] }

/** Reads the file of a scripted model: a list of steps, in YAML or JSON. */
export function readScript(text: string, name: string): ScriptResult {
  const report = createReport(name)
  const tree = readTree(text.replace(/^\uFEFF/, ""), report)
  const steps = optional(tree, (node) => readSteps(node, report)) ?? []
  const problems = report.errors()
  return problems.length === 0 ? { ok: true, steps } : { ok: false, problems }
}

export function readSteps(node: YamlNode, report: Report): readonly ScriptedStep[] {
  const list = readList(node, "a script", report)
  if (list?.items.length === 0) report.error(node, "bad-value", "A script needs a step. Write `- say: Hello.`")
  return (list?.items ?? []).flatMap((item) => readStep(item, report) ?? [])
}

function readStep(node: YamlNode, report: Report): ScriptedStep | undefined {
  const fields = readFields(node, { what: "a step", keys: keysOf(scriptedStepSchema) }, report)
  if (fields === undefined) return undefined
  const text = (key: string) => optional(fields.get(key), (value) => readText(value, `\`${key}\``, report))
  const step = {
    ...given("when", text("when")),
    ...given("reasoning", text("reasoning")),
    ...given("say", text("say")),
    ...given(
      "calls",
      optional(fields.get("calls"), (value) => readCalls(value, report)),
    ),
    ...given(
      "fail",
      optional(fields.get("fail"), (value) => readFailure(value, report)),
    ),
  }
  if (["say", "calls", "fail"].every((key) => fields.get(key) === undefined)) {
    report.error(node, "missing-key", "A step does nothing unless it has `say`, `calls` or `fail`. Write one of them.")
  }
  return step
}

function readCalls(node: YamlNode, report: Report): readonly ScriptedCall[] {
  const list = readList(node, "`calls`", report)
  return (list?.items ?? []).flatMap((item) => readCall(item, report) ?? [])
}

function readCall(node: YamlNode, report: Report): ScriptedCall | undefined {
  const fields = readFields(node, { what: "a call", keys: keysOf(scriptedCallSchema) }, report)
  if (fields === undefined) return undefined
  const tool = fields.get("tool")
  if (tool === undefined) requireKey(fields.node, "tool", "a call", report)
  const name = optional(tool, (value) => readText(value, "`tool`", report))
  const args = optional(fields.get("args"), (value) => readArgs(value, report)) ?? {}
  return name === undefined ? undefined : { tool: name, args }
}

function readArgs(node: YamlNode, report: Report): JsonObject | undefined {
  const map = readMap(node, "`args`", report)
  return map === undefined ? undefined : asObject(readJsonValue(map, report))
}

function readFailure(node: YamlNode, report: Report): ScriptedFailure | undefined {
  const fields = readFields(node, { what: "`fail`", keys: keysOf(scriptedFailureSchema) }, report)
  if (fields === undefined) return undefined
  const count = (key: string, least: number) =>
    optional(fields.get(key), (value) => readCount(value, `\`${key}\``, least, report))
  const said = fields.get("message")
  if (said === undefined) requireKey(fields.node, "message", "`fail`", report)
  const message = optional(said, (value) => readText(value, "`message`", report))
  return message === undefined
    ? undefined
    : { message, ...given("status", count("status", 100)), ...given("retryAfter", count("retryAfter", 0)) }
}
