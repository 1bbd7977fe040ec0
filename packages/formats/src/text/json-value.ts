import { type JsonValue, readJson } from "@byleave/core"
import type { Report } from "../problem.ts"
import type { YamlNode } from "./tree.ts"

/** A node as a JSON value, read as strictly as arguments are, so that the two compare alike. */
export function readJsonValue(node: YamlNode, report: Report): JsonValue | undefined {
  const result = readJson(jsonText(node))
  if (result.ok) return result.value
  report.error(node, "bad-value", result.problem.message)
  return undefined
}

function jsonText(node: YamlNode): string {
  switch (node.kind) {
    case "list":
      return `[${node.items.map(jsonText).join()}]`
    case "map":
      return `{${node.entries.map((entry) => `${JSON.stringify(entry.key)}:${jsonText(entry.value)}`).join()}}`
    case "scalar":
      // The source keeps digits a double would lose; other spellings of numbers (0x10) are read by YAML alone.
      return typeof node.value === "number" && jsonNumber.test(node.source) ? node.source : JSON.stringify(node.value)
  }
}

const jsonNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
