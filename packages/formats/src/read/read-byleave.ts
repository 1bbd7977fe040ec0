import { defaultLimits } from "@byleave/core"
import { configSchema } from "../schema/config-schema.ts"
import { policySchema } from "../schema/policy-schema.ts"
import { keysOf } from "../schema/schema-node.ts"
import type { ConfigDraft } from "../text/draft.ts"
import type { MapNode, YamlNode } from "../text/tree.ts"
import { type Fields, optional, readFields, readMap } from "./fields.ts"
import { readLimits } from "./read-limits.ts"
import { readModel } from "./read-model.ts"
import { filled, readPolicy } from "./read-policy.ts"
import { readService } from "./read-service.ts"
import { readUse, withTemplates } from "./read-use.ts"
import { readWaits } from "./read-waits.ts"
import type { Reading } from "./reading.ts"
import { readServer } from "./servers/read-server.ts"

/** The keys by which our own file is known; others of it may well be servers' ids in a file of another form. */
export const byleaveKeys = ["version", "servers", "policy", "wait", "limits", "reviewers"]

/** Our own file, `version: 1`. */
export function readByleave(root: MapNode, reading: Reading): ConfigDraft {
  const { report } = reading
  const fields = readFields(root, { what: "this file", keys: keysOf(configSchema) }, report)
  checkVersion(root, fields, reading)
  const section = (key: string): YamlNode | undefined => filled(fields?.get(key), key, reading)
  const servers = optional(section("servers"), (node) => readMap(node, "`servers`", report))
  const read = (servers?.entries ?? []).flatMap((entry) => readServer(entry, reading) ?? [])
  const { use, ...policy } = readPolicy(section("policy"), { what: "`policy`", keys: keysOf(policySchema) }, reading)
  const models = optional(section("models"), (node) => readMap(node, "`models`", report))
  return {
    servers: read.map(({ server }) => server),
    named: (servers?.entries ?? []).map(({ key }) => key),
    models: (models?.entries ?? []).flatMap((entry) => readModel(entry, reading) ?? []),
    policy: {
      // Own rules first: edits of the file name them by their place.
      ...withTemplates(
        { ...policy, rules: [...policy.rules, ...read.flatMap(({ rules }) => rules)] },
        optional(use, (node) => readUse(node, servers?.entries.map(({ key }) => key) ?? [], reading)) ?? [],
      ),
      limits: optional(section("limits"), (node) => readLimits(node, reading)) ?? defaultLimits,
      ...readWaits(fields?.get("wait"), report),
    },
    service: readService(section, reading),
  }
}

function checkVersion(root: MapNode, fields: Fields | undefined, reading: Reading): void {
  const version = fields?.get("version")
  if (version === undefined)
    reading.report.error(root, "missing-key", "Say which form this file has: write `version: 1` at its top.")
  else if (version.kind !== "scalar" || version.value !== 1) {
    reading.report.error(
      version,
      "bad-value",
      "This version of Byleave reads `version: 1` only. Write 1, or update Byleave.",
    )
  }
}
