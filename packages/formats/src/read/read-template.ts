import { escapeGlob, type Policy, type TargetPattern } from "@byleave/core"
import type { TextPosition } from "../problem.ts"
import { templatePolicySchema } from "../schema/policy-schema.ts"
import { keysOf } from "../schema/schema-node.ts"
import { readTree } from "../text/read-tree.ts"
import { readFields } from "./fields.ts"
import { readPolicy, type WrittenPolicy } from "./read-policy.ts"
import type { Reading } from "./reading.ts"

/** The name that a template has for the server it is bound to. */
const boundServer = "this"

/** A template's part of the policy. */
export type TemplatePolicy = Pick<Policy, "rules" | "classify" | "forbiddenModes"> &
  Pick<WrittenPolicy, "default" | "unattended">

/**
 * Reads a template's text: `version: 1` and a `policy` of rules. `server`: the one it is bound to; null: it is about all of them.
 *
 * I1. A template that is bound speaks of that server and no other; one that is not bound speaks of none as `this`.
 * I2. A template never makes the default `allow`.
 */
export function readTemplateText(text: string, label: string, server: string | null, reading: Reading): TemplatePolicy {
  const { report } = reading
  const tree = readTree(text.replace(/^\uFEFF/, ""), report)
  const fields = tree && readFields(tree, { what: "a template", keys: ["version", "policy"] }, report)
  if (tree === undefined || fields === undefined) return nothing
  const version = fields.get("version")
  if (version?.kind !== "scalar" || version.value !== 1) {
    report.error(version ?? tree, "missing-key", "Say which form this template has: write `version: 1` at its top.")
  }
  const node = fields.get("policy")
  if (node === undefined) report.error(tree, "missing-key", "A template needs `policy:` with its rules.")
  const policy = readPolicy(node, { what: "a template's `policy`", keys: keysOf(templatePolicySchema) }, reading)
  if (policy.default === "allow") {
    report.error(
      node ?? tree,
      "bad-value",
      "A template cannot make the default `allow`. Write it in the configuration.",
    )
  }
  const bind = bindTo(server, reading)
  const { forbiddenModes } = policy
  return {
    rules: policy.rules.map((rule) => ({ ...rule, id: `${label}/${rule.id}`, target: bind(rule.target, rule.origin) })),
    classify: policy.classify.map((rule) => ({ ...rule, target: bind(rule.target, rule.origin) })),
    forbiddenModes,
    ...(policy.default === undefined ? {} : { default: policy.default }),
    ...(policy.unattended === undefined ? {} : { unattended: policy.unattended }),
  }
}

const nothing: TemplatePolicy = { rules: [], classify: [], forbiddenModes: [] }

type Place = { readonly line?: number; readonly column?: number }

function bindTo(server: string | null, { report }: Reading): (target: TargetPattern, origin: Place) => TargetPattern {
  return (target, { line = 1, column = 1 }) => {
    const place: TextPosition = { line, column, path: "policy" }
    if ((target.server === boundServer) === (server !== null)) {
      return server === null ? target : { ...target, server: escapeGlob(server) }
    }
    report.error(place, "bad-template", server === null ? unbound : otherServer)
    return target
  }
}

const unbound =
  "`this` is the server that a template is used for. Name the server where the template is used: `{ ./template.yaml: SERVER }`."
const otherServer =
  'This template is used for one server, so its rules are about `this` alone. Write "this(tool)", or use it without a server.'
