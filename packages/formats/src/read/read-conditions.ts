import type { Condition } from "@byleave/core"
import { readJsonValue } from "../text/json-value.ts"
import { describeNode, type YamlNode } from "../text/tree.ts"
import { readFields, readList, readMap, readText } from "./fields.ts"
import { type Reading, readPath } from "./reading.ts"

type Operator = Condition["op"]
type ReadOperand<Op extends Operator> = (
  key: string,
  node: YamlNode,
  reading: Reading,
) => Extract<Condition, { op: Op }> | undefined

/** `when: { path: { under: ./x }, size: { atMost: 10 } }`: all of them must hold. */
export function readConditions(node: YamlNode, reading: Reading): readonly Condition[] | undefined {
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

function conditionsOn(key: string, node: YamlNode, reading: Reading): readonly Condition[] {
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
    const condition = operand === undefined ? undefined : readOperand[op](key, operand, reading)
    return condition === undefined ? [] : [condition]
  })
}

/** How each operator's value is read; a new operator does not compile until it stands here. */
const readOperand = {
  equals: (key, node, { report }) => {
    const value = readJsonValue(node, report)
    return value === undefined ? undefined : { key, op: "equals", value }
  },
  oneOf: (key, node, reading) => {
    const items = readFilled(node, "`oneOf`", reading)
    const values = items?.map((item) => readJsonValue(item, reading.report))
    return values?.every((value) => value !== undefined) ? { key, op: "oneOf", values } : undefined
  },
  glob: (key, node, { report }) => {
    const pattern = readText(node, "`glob`", report)
    return pattern === undefined ? undefined : { key, op: "glob", pattern }
  },
  under: (key, node, reading) => {
    const folder = readPath(node, "`under`", reading)
    return folder === undefined ? undefined : { key, op: "under", folder }
  },
  directlyIn: (key, node, reading) => {
    const items = node.kind === "list" ? readFilled(node, "`directlyIn`", reading) : [node]
    const folders = items?.map((item) => readPath(item, "`directlyIn`", reading))
    return folders?.every((folder) => folder !== undefined) ? { key, op: "directlyIn", folders } : undefined
  },
  file: (key, node, reading) => {
    const path = readPath(node, "`file`", reading)
    return path === undefined ? undefined : { key, op: "file", path }
  },
  host: (key, node, reading) => {
    const items = node.kind === "list" ? readFilled(node, "`host`", reading) : [node]
    const patterns = items?.map((item) => readText(item, "`host`", reading.report))
    return patterns?.every((pattern) => pattern !== undefined) ? { key, op: "host", patterns } : undefined
  },
  atMost: (key, node, reading) => {
    const value = readBound("atMost", node, reading)
    return value === undefined ? undefined : { key, op: "atMost", value }
  },
  atLeast: (key, node, reading) => {
    const value = readBound("atLeast", node, reading)
    return value === undefined ? undefined : { key, op: "atLeast", value }
  },
  sensitive: (key, node, { report }) => {
    const value = readJsonValue(node, report)
    if (typeof value === "boolean") return { key, op: "sensitive", value }
    report.error(node, "wrong-type", `\`sensitive\` must be true or false, but this is ${describeNode(node)}.`)
    return undefined
  },
  only: (key, node, reading) => {
    const names = readList(node, "`only`", reading.report)?.items.map((item) =>
      readText(item, "`only`", reading.report),
    )
    return names?.every((name) => name !== undefined) ? { key, op: "only", names } : undefined
  },
} as const satisfies { readonly [Op in Operator]: ReadOperand<Op> }

const operators = Object.keys(readOperand) as readonly Operator[]

function readFilled(node: YamlNode, what: string, reading: Reading): readonly YamlNode[] | undefined {
  const list = readList(node, what, reading.report)
  if (list?.items.length === 0)
    reading.report.error(list, "bad-value", `${what} is empty, so it can never hold. List at least one.`)
  return list?.items
}

function readBound(op: Operator, node: YamlNode, reading: Reading): number | undefined {
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
