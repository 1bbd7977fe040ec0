/**
 * Which tools and hosts people have approved before, for the warnings of a held call. Kept as small documents that are written with the approval
 * itself and looked up by key, so a call that was denied, expired or withdrawn makes nothing known. Their ids are keyed digests: no host name
 * outlives the arguments it stood in.
 */
import type { Call, EpochMs } from "../../call/call.ts"
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { isPolicyChange } from "../../policy/risks/policy-change-risks.ts"
import type { ApprovedBefore } from "../../policy/risks/risk.ts"
import { hostsIn } from "../../policy/risks/urls-in.ts"
import type { GateContext } from "../context.ts"
import type { Change, StoredDocument } from "../store.ts"

const documentKind = "approved-before"
const keptMs = 180 * 24 * 60 * 60_000

type Known = Pick<Call, "tool" | "principal" | "session" | "kind" | "extraParams">

/** `digest`: of the call, to find out whether the same one failed before; null: that is not looked for. */
export async function approvedBefore(
  context: GateContext,
  call: Known,
  args: JsonObject,
  digest: string | null,
): Promise<ApprovedBefore> {
  if (isPolicyChange(call.tool)) return { tool: null, hosts: new Set(), failure: null }
  const hosts = [...hostsOf(call, args)]
  const at = context.now()
  const has = async (id: string): Promise<boolean> => (await context.store.document(documentKind, id, at)) !== undefined
  const [byAnyone, byAgent, failure, ...known] = await Promise.all([
    has(toolId(context, call)),
    has(agentId(context, call)),
    digest === null ? null : lastFailure(context, call, digest),
    ...hosts.map((host) => has(hostId(context, host))),
  ])
  return {
    tool: isTool(call) ? (byAgent ? "this-agent" : byAnyone ? "others" : "nobody") : null,
    hosts: new Set(hosts.filter((_, index) => known[index])),
    failure,
  }
}

/** The documents that an approval adds: those that are not there, and those that would soon expire. */
export async function approvalNotes(
  context: GateContext,
  call: Known,
  args: JsonObject,
): Promise<NonNullable<Change["documents"]>> {
  if (isPolicyChange(call.tool)) return []
  const hosts = [...hostsOf(call, args)].map((host) => hostId(context, host))
  const ids = isTool(call) ? [toolId(context, call), agentId(context, call), ...hosts] : hosts
  const at = context.now()
  const stored = await Promise.all(ids.map((id) => context.store.document(documentKind, id, at)))
  return ids.flatMap((id, index) => noteFor(id, stored[index], at))
}

function noteFor(id: string, stored: StoredDocument | undefined, at: EpochMs): NonNullable<Change["documents"]> {
  if (stored !== undefined && (stored.expiresAt ?? Number.POSITIVE_INFINITY) > at + keptMs / 2) return []
  const version = (stored?.version ?? 0) + 1
  const put = { kind: documentKind, id, version, value: {}, expiresAt: at + keptMs }
  return [{ put, replaces: stored?.version ?? null }]
}

/** The outcome of the newest call of the session that was the same and failed. */
async function lastFailure(
  { store }: GateContext,
  { tool: { server, tool }, principal, session }: Known,
  digest: string,
): Promise<string | null> {
  const query = { statuses: ["failed"] as const, principal: principal.id, session: session.id, server, tool }
  const failed = await store.approvals({ ...query, limit: mostFailures })
  const same = failed.find(({ runDigest }) => runDigest === digest)
  const approval = same === undefined ? undefined : await store.approval(same.id)
  return approval?.status === "failed" ? wordsIn(approval.error) : null
}

const mostFailures = 20

/** The text of a tool's error result, or the message of a server's error. */
function wordsIn(error: JsonValue): string {
  const { message, content } = objectOf(error)
  if (typeof message === "string") return message
  const parts = Array.isArray(content) ? content.map((part: JsonValue) => objectOf(part).text) : []
  return parts.filter((text) => typeof text === "string").join(" ")
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

/** A resource is known by its address, which is new more often than not. */
function isTool({ kind = "tool" }: Known): boolean {
  return kind === "tool"
}

function hostsOf({ extraParams }: Known, args: JsonObject): ReadonlySet<string> {
  return hostsIn(extraParams === undefined ? [args] : [args, extraParams])
}

function toolId(context: GateContext, { tool }: Known): string {
  return idOf(context, ["tool", tool.server, tool.tool])
}

function agentId(context: GateContext, { tool, principal }: Known): string {
  return idOf(context, ["agent", tool.server, tool.tool, principal.id])
}

function hostId(context: GateContext, host: string): string {
  return idOf(context, ["host", host])
}

function idOf({ options: { hasher, digestKey } }: GateContext, parts: readonly string[]): string {
  return hasher.hmacSha256(digestKey, JSON.stringify(parts))
}
