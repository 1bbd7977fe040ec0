import type { Hasher, Signer } from "../call/hasher.ts"
import { type Anchor, anchorTypes, createAnchorCollector } from "./anchors.ts"
import type { AuditProblem } from "./audit-problem.ts"
import { createChainVerifier } from "./chain-verifier.ts"
import { createLifeCycleVerifier, type LifeCycleRow } from "./life-cycle-verifier.ts"
import type { AuditRecord, ChainHead, SignedHead, SignedRoster } from "./record.ts"

/** The parts of a store that verification reads. */
export type AuditSource = {
  /** All records of all chains, by writer and seq. */
  readonly chains: () => AsyncIterable<readonly AuditRecord[]>
  /** All records that have a subject, by subject and step. */
  readonly lifeCycles: () => AsyncIterable<readonly LifeCycleRow[]>
  readonly heads: () => Promise<readonly SignedHead[]>
  readonly roster: () => Promise<SignedRoster | undefined>
  /** Newest first. */
  readonly records: (query: RecordsPage) => Promise<readonly AuditRecord[]>
}

type RecordsPage = {
  readonly types: readonly string[]
  readonly after?: { readonly at: number; readonly writer: string; readonly seq: number }
  readonly limit: number
}

export type VerifyOptions = {
  readonly hasher: Hasher
  readonly signer: Signer
  /** Heads kept outside the store; only they can show that the whole store was put back to an earlier day. */
  readonly expectedHeads?: readonly ChainHead[]
}

export type AuditReport = {
  readonly ok: boolean
  readonly records: number
  readonly chains: number
  /** The first hundred of each kind of check. */
  readonly problems: readonly AuditProblem[]
  readonly problemCount: number
  /** Records written after their chain's head was last signed; nobody vouches for them yet. */
  readonly unsigned: number
  /** Calls that still wait or run, or whose outcome was never recorded. */
  readonly unfinished: number
  /** To be kept elsewhere and given back as `expectedHeads`. */
  readonly heads: readonly ChainHead[]
}

/**
 * Proves chains and life cycles, also while others write: what chains must live up to is read before them, and what
 * may excuse them after.
 */
export async function verifyAudit(source: AuditSource, options: VerifyOptions): Promise<AuditReport> {
  const heads = await source.heads()
  const roster = await source.roster()
  const collected = await collectAnchors(source)
  const chains = createChainVerifier({ ...options, heads, roster, anchors: collected.anchors })
  for await (const batch of source.chains()) chains.push(batch)
  const chainReport = chains.end({ roster: await source.roster(), heads: await source.heads() })
  const lifeCycles = createLifeCycleVerifier()
  for await (const batch of source.lifeCycles()) lifeCycles.push(batch)
  const lifeReport = lifeCycles.end()
  const problems = [...chainReport.problems, ...collected.problems, ...lifeReport.problems]
  const problemCount = chainReport.problemCount + collected.problems.length + lifeReport.problemCount
  return {
    ok: problemCount === 0,
    records: chainReport.records,
    chains: chainReport.chains,
    problems,
    problemCount,
    unsigned: chainReport.unsigned,
    unfinished: lifeReport.unfinished,
    heads: chainReport.heads,
  }
}

const pageSize = 1000

async function collectAnchors(
  source: AuditSource,
): Promise<{ readonly anchors: Iterable<Anchor>; readonly problems: readonly AuditProblem[] }> {
  const collector = createAnchorCollector()
  let page = await source.records({ types: anchorTypes, limit: pageSize })
  while (page.length > 0) {
    collector.push(page)
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) break
    const after = { at: last.at, writer: last.writer, seq: last.seq }
    page = await source.records({ types: anchorTypes, after, limit: pageSize })
  }
  return { anchors: collector.anchors(), problems: collector.problems() }
}
