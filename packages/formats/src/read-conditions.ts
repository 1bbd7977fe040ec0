import type { Condition } from "@byleave/core"
import { readFields, readList, readMap, readText } from "./fields.ts"
import { readJsonValue } from "./json-value.ts"
import { type Reading, readPath } from "./reading.ts"
import { describeNode, type TreeNode } from "./tree.ts"

export type Operator = Condition["op"]

const operators = [
  "equals",
  "oneOf",
  "glob",
  "under",
  "host",
  "atMost",
  "atLeast",
] as const satisfies readonly Operator[]

/** `when: { path: { under: ./x }, size: { atMost: 10 } }`: all of them must hold. */
export function readConditions(node: TreeNode, reading: Reading): readonly Condition[] | undefined {
  const { report } = reading
  const map = readMap(node, "`when`", report)
  if (map === undefined) return undefined
  if (map.entries.length === 0) {
    report.error(
      map,
      "bad-value",
      "`when` has no condition. Write one, as in `{ path: { under: ./drafts } }`, or remove `when`.",
    )
  }
  return map.entries.flatMap((entry) => {
    // A dot within a name is written `\\.`.
    if (
      entry.key
        .replaceAll(/\\[.\\]/g, "x")
        .split(".")
        .includes("")
    ) {
      report.error(
        entry,
        "bad-value",
        "An argument needs a name, with dots only between names: `path` or `target.path`.",
      )
    }
    return conditionsOn(entry.key, entry.value, reading)
  })
}

function conditionsOn(key: string, node: TreeNode, reading: Reading): readonly Condition[] {
  const { report } = reading
  if (node.kind !== "map") {
    const message = `Say how \`${key}\` is compared: \`${key}: { equals: … }\`, or ${operators.slice(1).join(", ")}. This is ${describeNode(node)}.`
    report.error(node, "wrong-type", message)
    return []
  }
  const fields = readFields(node, { what: "a condition", keys: operators }, report)
  if (node.entries.length === 0)
    report.error(node, "bad-value", `Say what \`${key}\` must be: ${operators.join(", ")}.`)
  return operators.flatMap((op) => {
    const operand = fields?.get(op)
    const condition = operand === undefined ? undefined : readCondition(key, op, operand, reading)
    return condition === undefined ? [] : [condition]
  })
}

function readCondition(key: string, op: Operator, node: TreeNode, reading: Reading): Condition | undefined {
  const { report } = reading
  switch (op) {
    case "equals": {
      const value = readJsonValue(node, report)
      return value === undefined ? undefined : { key, op, value }
    }
    case "oneOf": {
      const items = readFilled(node, "`oneOf`", reading)
      const values = items?.map((item) => readJsonValue(item, report))
      return values?.every((value) => value !== undefined) ? { key, op, values } : undefined
    }
    case "glob": {
      const pattern = readText(node, "`glob`", report)
      return pattern === undefined ? undefined : { key, op, pattern }
    }
    case "under": {
      const folder = readPath(node, "`under`", reading)
      return folder === undefined ? undefined : { key, op, folder }
    }
    case "host": {
      const items = node.kind === "list" ? readFilled(node, "`host`", reading) : [node]
      const patterns = items?.map((item) => readText(item, "`host`", report))
      return patterns?.every((pattern) => pattern !== undefined) ? { key, op, patterns } : undefined
    }
    case "atMost":
    case "atLeast": {
      const value = readBound(op, node, reading)
      return value === undefined ? undefined : { key, op, value }
    }
  }
}

function readFilled(node: TreeNode, what: string, reading: Reading): readonly TreeNode[] | undefined {
  const list = readList(node, what, reading.report)
  if (list?.items.length === 0)
    reading.report.error(list, "bad-value", `${what} is empty, so it can never hold. List at least one.`)
  return list?.items
}

function readBound(op: Operator, node: TreeNode, reading: Reading): number | undefined {
  const value = readJsonValue(node, reading.report)
  // A number that a double cannot hold arrives as its text and is no bound either.
  if (typeof value === "number") return value
  reading.report.error(
    node,
    "bad-value",
    `\`${op}\` must be a number within ±9007199254740991, but this is ${describeNode(node)}.`,
  )
  return undefined
}
