import { defaultWaits, emptyPolicy, type Policy } from "@byleave/core"
import type { Report } from "../problem.ts"
import { waitsSchema } from "../schema/policy-schema.ts"
import { keysOf } from "../schema/schema-node.ts"
import type { YamlNode } from "../text/tree.ts"
import { optional, readFields, readWait } from "./fields.ts"

/** `wait`: of agents at the gateway alone, or by where a call is made. */
export function readWaits(node: YamlNode | undefined, report: Report): Pick<Policy, "wait" | "waits"> {
  if (node?.kind !== "map") {
    const wait = optional(node, (written) => readWait(written, "`wait`", report))
    return { wait: wait === undefined ? emptyPolicy.wait : wait }
  }
  const fields = readFields(node, { what: "`wait`", keys: keysOf(waitsSchema) }, report)
  const read = (key: string, usual: number | null): number | null => {
    const wait = optional(fields?.get(key), (written) => readWait(written, `\`${key}\``, report))
    return wait === undefined ? usual : wait
  }
  return {
    wait: read("gateway", emptyPolicy.wait),
    waits: { chat: read("chat", defaultWaits.chat), run: read("run", defaultWaits.run) },
  }
}
