import type { AuditRecordView } from "@byleave/api"

type Type = AuditRecordView["type"]

/** Topics that people filter the audit by, with the types of their records. */
export const recordKinds = [
  {
    value: "calls",
    label: "Calls and decisions",
    types: ["call.hidden", "call.denied", "call.asked", "call.allowed"],
  },
  {
    value: "answers",
    label: "Reviews",
    types: ["approval.voted", "approval.approved", "approval.denied", "approval.extended"],
  },
  {
    value: "lapsed",
    label: "Expired and withdrawn",
    types: ["approval.expired", "approval.cancelled", "approval.superseded"],
  },
  {
    value: "runs",
    label: "Calls run, and results",
    types: ["run.started", "run.succeeded", "run.failed", "run.unknown"],
  },
  {
    value: "agent-runs",
    label: "Agent runs",
    types: [
      "agent-run.started",
      "agent-run.paused",
      "agent-run.resumed",
      "agent-run.finished",
      "agent-run.failed",
      "agent-run.stopped",
      "agent-run.cancelled",
      "agent-run.exported",
      "agent-run.imported",
    ],
  },
  { value: "remembered", label: "Permissions", types: ["grant.created", "grant.revoked"] },
  {
    value: "sessions",
    label: "Sessions and modes",
    types: ["mode.set", "session.launched", "session.ended", "tool.lifted"],
  },
  {
    value: "tools",
    label: "Tool definitions",
    types: [
      "definition.pinned",
      "definition.proposed",
      "definition.accepted",
      "definition.rejected",
      "definition.quarantined",
      "definition.lifted",
    ],
  },
  { value: "servers", label: "Server starts and stops", types: ["server.changed"] },
  { value: "policy", label: "Policy", types: ["policy.changed"] },
  { value: "access", label: "Access", types: ["access.changed"] },
  { value: "trail", label: "Audit trail", types: ["chain.opened", "heads.anchored", "payloads.removed"] },
] as const satisfies readonly { readonly value: string; readonly label: string; readonly types: readonly Type[] }[]

/** Fails to compile when a type of record belongs to no kind, so that no filter would find it. */
type Covered = (typeof recordKinds)[number]["types"][number]
recordKinds satisfies readonly (Type extends Covered ? object : never)[]

/** The types that a kind stands for; undefined: all of them. */
export function typesOf(kind: string): readonly Type[] | undefined {
  return recordKinds.find((one) => one.value === kind)?.types
}
