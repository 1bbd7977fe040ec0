import { defaultLimits, type Limits } from "@byleave/core"
import { limitsSchema } from "../schema/limits-schema.ts"
import { keysOf } from "../schema/schema-node.ts"
import type { YamlNode } from "../text/tree.ts"
import { given, optional, readCount, readDuration, readFields, readList, readSize, requireKey } from "./fields.ts"
import { readTarget } from "./read-rule.ts"
import type { Reading } from "./reading.ts"

/** The `limits` section; what it does not say keeps its usual value. */
export function readLimits(node: YamlNode, reading: Reading): Limits {
  const { report } = reading
  const fields = readFields(node, { what: "`limits`", keys: keysOf(limitsSchema) }, report)
  const count = (key: string, least: number) =>
    optional(fields?.get(key), (value) => readCount(value, `\`${key}\``, least, report))
  const size = (key: string) => optional(fields?.get(key), (value) => readSize(value, `\`${key}\``, report))
  const denials = optional(fields?.get("denials"), (value) => readRate(value, "denials", "count", reading))
  const bulk = optional(fields?.get("bulk"), (value) => readRate(value, "bulk", "writes", reading))
  return {
    ...given("autoAllowedPerSession", count("autoAllowedPerSession", 0)),
    ...given("autoAllowedPerDay", count("autoAllowedPerDay", 0)),
    ...given("autoAllowedPerMinute", count("autoAllowedPerMinute", 0)),
    ...given(
      "coolDown",
      optional(fields?.get("coolDown"), (value) => readCoolDown(value, reading)),
    ),
    ...given("bulk", bulk && { writes: bulk.count, withinMs: bulk.withinMs }),
    waitingPerSession: count("waitingPerSession", 1) ?? defaultLimits.waitingPerSession,
    waitingPerPrincipal: count("waitingPerPrincipal", 1) ?? defaultLimits.waitingPerPrincipal,
    waitingInAll: count("waitingInAll", 1) ?? defaultLimits.waitingInAll,
    heldBytesPerPrincipal: size("heldBytesPerPrincipal") ?? defaultLimits.heldBytesPerPrincipal,
    heldBytesInAll: size("heldBytesInAll") ?? defaultLimits.heldBytesInAll,
    denials: denials ?? defaultLimits.denials,
  }
}

function readRate(
  node: YamlNode,
  name: string,
  countKey: string,
  reading: Reading,
): { readonly count: number; readonly withinMs: number } | undefined {
  const { report } = reading
  const fields = readFields(node, { what: `\`${name}\``, keys: [countKey, "within"] }, report)
  if (fields === undefined) return undefined
  for (const key of [countKey, "within"]) {
    if (fields.get(key) === undefined) requireKey(fields.node, key, `\`${name}\``, report)
  }
  const count = optional(fields.get(countKey), (value) => readCount(value, `\`${countKey}\``, 1, report))
  const withinMs = optional(fields.get("within"), (value) => readDuration(value, "`within`", report))
  return count === undefined || withinMs === undefined ? undefined : { count, withinMs }
}

function readCoolDown(node: YamlNode, reading: Reading): Limits["coolDown"] {
  const { report } = reading
  const fields = readFields(node, { what: "`coolDown`", keys: ["after", "for"] }, report)
  if (fields === undefined) return undefined
  for (const key of ["after", "for"]) {
    if (fields.get(key) === undefined) requireKey(fields.node, key, "`coolDown`", report)
  }
  const list = optional(fields.get("after"), (value) => readList(value, "`after`", report))
  const after = (list?.items ?? []).map((item) => readTarget(item, reading))
  const forMs = optional(fields.get("for"), (value) => readDuration(value, "`for`", report))
  if (list?.items.length === 0) report.error(list, "bad-value", '`after` is empty. Write for example ["*(delete_*)"].')
  return forMs === undefined || !after.every((target) => target !== undefined) ? undefined : { after, forMs }
}
