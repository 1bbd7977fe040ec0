/**
 * The other waiting calls that a remembered answer settles.
 *
 * I1. Only what the rule covers for sure goes along.
 * I2. A yes never goes along to a call that holds a secret, that more people must allow, or that differs in more than is shown of it.
 * I3. Nothing goes along unasked but the very same call: whoever answers one has looked at no other.
 */
import type { ApprovalSummaryView, ApprovalView } from "@byleave/api"
import { shownArguments, shownExtraParams } from "@byleave/api/page"
import { canonicalJson, type Grant, grantCovers } from "@byleave/core"
import type { KnownAccess } from "../remember/known-access.ts"
import { otherwiseThan } from "../remember/placed-values.ts"
import { isSameTool } from "../same-tool.ts"
import { holdsSecret } from "./batch.ts"

/** A call that waits and that a remembered answer would cover. */
export type AlsoWaiting = {
  readonly approval: ApprovalView
  /** Null: it can be answered along. */
  readonly whyNot: string | null
  /** Whether it is answered along unless somebody says otherwise. */
  readonly atFirst: boolean
}

/** The known tools of the server that the answer is about, by name. */
export type AccessByTool = ReadonlyMap<string, KnownAccess>

/** Whether a remembered answer covers a call; `unsure` where only the service knows the folder a path starts from. `folder`: the server's, where it is known. */
export function coverage(
  grant: Grant,
  call: ApprovalView,
  access: AccessByTool,
  folder: string | null = null,
): "yes" | "no" | "unsure" {
  if (grantCovers(grant, call, access.get(call.tool.tool), folder === null ? {} : { bases: [folder] })) return "yes"
  return dependsOnFolder(grant, call) ? "unsure" : "no"
}

/** It would be covered were it not for conditions on folders and files. */
function dependsOnFolder(grant: Grant, call: ApprovalView): boolean {
  const { breadth } = grant
  if (!("when" in breadth) || breadth.when === undefined) return false
  const others = breadth.when.filter(({ op }) => op !== "under" && op !== "directlyIn" && op !== "file")
  if (others.length === breadth.when.length) return false
  return grantCovers({ ...grant, breadth: { ...breadth, when: others } }, call, undefined)
}

/** As many as are read to be answered along with one call. */
export const mostAlong = 100
const largestAlong = 65_536

/** The calls worth reading whole: those of the same server that are not too long for a row, the very same calls first. */
export function alsoCandidates(
  answered: ApprovalView,
  waiting: readonly ApprovalSummaryView[],
): readonly ApprovalSummaryView[] {
  const isSame = (call: ApprovalSummaryView): boolean =>
    call.runDigest === answered.runDigest && call.tool.tool === answered.tool.tool
  const near = waiting.filter(
    (call) =>
      call.id !== answered.id &&
      call.status === "pending" &&
      call.tool.server === answered.tool.server &&
      call.bytes <= largestAlong,
  )
  return [...near.filter(isSame), ...near.filter((call) => !isSame(call))].slice(0, mostAlong)
}

/** The other calls that wait and that this answer covers. What cannot be judged at a glance is left to its own card. */
export function alsoWaitingFor(
  grant: Grant,
  answered: ApprovalView,
  waiting: readonly ApprovalView[],
  access: AccessByTool,
  folder: string | null = null,
): readonly AlsoWaiting[] {
  return waiting
    .filter((call) => call.id !== answered.id && coverage(grant, call, access, folder) === "yes")
    .slice(0, mostAlong)
    .map((call) => {
      const whyNot = whyNotAlong(grant, answered, call)
      return { approval: call, whyNot, atFirst: whyNot === null && isIdentical(answered, call) }
    })
}

/** As many differences as a row shows: nothing goes along that was not shown. */
export const mostDifferences = 6

function whyNotAlong({ effect }: Grant, answered: ApprovalView, call: ApprovalView): string | null {
  if (effect === "deny") return null
  if (call.needs.approvals > 1) return `${call.needs.approvals} reviewers must approve it; open it to decide.`
  // A value may be masked without a warning.
  if (call.risks.some((risk) => risk.kind === "secret-like") || holdsSecret(call)) {
    return "It contains a secret; open it to review."
  }
  if (shownArguments(call) === null) return "Its arguments are no longer stored; open it to decide."
  const differences = otherwiseThan(answered, call)?.length ?? 0
  return differences > mostDifferences ? `It differs in ${differences} places; open it to decide.` : null
}

function isIdentical(a: ApprovalView, b: ApprovalView): boolean {
  return isSameTool(a, b) && a.sessionKey === b.sessionKey && a.runDigest === b.runDigest && isSameText(a, b)
}

/** By what is sent itself: a digest says only that somebody calls it the same. */
function isSameText(a: ApprovalView, b: ApprovalView): boolean {
  return sentText(a) === sentText(b)
}

function sentText(call: ApprovalView): string {
  return canonicalJson([shownArguments(call), shownExtraParams(call), [...(call.droppedParams ?? [])]])
}
