import {
  type AuditQuery,
  bytesOf,
  type EpochMs,
  type JsonObject,
  largestWhole,
  type RecordWithPayload,
  readStoredJson,
  type Store,
} from "@byleave/core"
import type { RecordedCall } from "@byleave/core/compare"
import type { ApiService } from "../../service.ts"
import { effectOf, type JudgedType, judgedTypes } from "./call-view-of.ts"
import { isCardRead } from "./card-reads.ts"
import { bodyOf } from "./read-record.ts"

/** How many recorded calls are looked at, and how many bytes their arguments may have together; those beyond count as not known. */
export type Extent = {
  readonly calls: number
  readonly bytes: number
  readonly atOnce: number
  readonly since: EpochMs
  /** Absent: to the last one. */
  readonly until?: EpochMs
  /** Absent: calls that were judged in whatever way. */
  readonly types?: readonly JudgedType[]
}

/** A recorded call, and whether it ran in `observe` where it would have asked. */
export type RecordedJudgement = RecordedCall & { readonly wouldAsk: boolean }

/** Arguments are read of the newest calls first, until there are as many bytes as one preview may hold. */
export async function recordedCalls(
  { store, closing, turns }: Pick<ApiService, "store" | "closing" | "turns">,
  extent: Extent,
): Promise<readonly RecordedJudgement[]> {
  const calls: RecordedJudgement[] = []
  const budget = { left: extent.bytes }
  const { types = judgedTypes, until } = extent
  let after: AuditQuery["after"] = until === undefined ? undefined : { at: until + 1, writer: "", seq: 0 }
  while (calls.length < extent.calls && !closing.aborted) {
    const page = await store.records({
      types,
      limit: extent.atOnce,
      payloads: budget.left > 0 ? { upTo: largestWhole } : false,
      ...(after === undefined ? {} : { after }),
    })
    const recent = page.filter(({ at }) => at >= extent.since)
    for (const record of recent) if (!isCardRead(record)) calls.push(await recordedCall(store, record, budget))
    // Some stores answer at once: without a turn, nobody else would be answered before the last page.
    await turns.nextTurn()
    after = page.at(-1)
    if (page.length < extent.atOnce || recent.length < page.length) break
  }
  return calls.slice(0, extent.calls)
}

type Budget = { left: number }

async function recordedCall(store: Store, record: RecordWithPayload, budget: Budget): Promise<RecordedJudgement> {
  const { type, subject, at } = record
  const body = bodyOf({ ...record, type: type as JudgedType })
  return {
    id: subject ?? "",
    at,
    target: { server: body.server, kind: body.kind, name: body.tool },
    ...(await argumentsOf(store, record, body.wholeBytes !== undefined, budget)),
    principal: body.principal,
    session: body.session,
    mode: body.mode,
    effect: effectOf[type as JudgedType],
    because: body.because,
    grant: body.grant,
    policy: body.policy,
    fingerprint: body.fingerprint,
    wouldAsk: body.wouldAsk,
    refusedOtherwise: body.refusal !== null && otherwise.has(body.refusal),
  }
}

const otherwise: ReadonlySet<string> = new Set(["too-many-waiting", "denied-too-often", "store-unavailable"])

/** Arguments that are not all there count as masked: only policies that look at none can judge them again. */
async function argumentsOf(
  store: Store,
  { type, subject, payload, payloadBytes }: RecordWithPayload,
  isShortened: boolean,
  budget: Budget,
): Promise<Pick<RecordedCall, "args" | "isMasked">> {
  if (payloadBytes === null) return { args: null, isMasked: false }
  if (payload === null || budget.left <= 0) return { args: {}, isMasked: true }
  budget.left -= payloadBytes
  // The redactor's brackets, or those it takes where a secret holds them.
  const isMasked = isShortened || /[‹\uE000-\uF8FF]/.test(payload)
  const held = isMasked && type === "call.asked" && subject !== null ? (await store.approval(subject))?.args : null
  if (held === null || held === undefined) return { args: readStoredJson(payload) as JsonObject, isMasked }
  // An approval keeps its arguments whole for as long as they are kept at all.
  budget.left -= bytesOf(held)
  return { args: held, isMasked: false }
}
