/**
 * Verifies chains as they stream by. Holds one chain's state at a time, besides what others remember of the chains.
 *
 * I1. A record that was changed, taken out, put in or moved is noticed, unless it lies after every head that is remembered.
 * I2. A chain that is gone is noticed as long as the roster, a signed head, a kept head or another chain names it.
 * I3. An honest store never has a problem: records after the signed head are counted, and held against it only as `unsigned-tail.ts`
 *     says and only if the head stays where it is while they are read.
 */
import type { Hasher, Signer } from "../call/hasher.ts"
import type { Anchor } from "./anchors.ts"
import { type AuditProblem, createProblemList, type ProblemList, recordsInWords } from "./audit-problem.ts"
import { emptyChain, headIsSigned, recordHash, recordPrefix, rosterIsSigned } from "./chain.ts"
import { type Checkpoint, type CheckpointWalk, farthestOf, walkCheckpoints, witnessInWords } from "./checkpoints.ts"
import type { AuditRecord, ChainHead, SignedHead, SignedRoster } from "./record.ts"
import { type TailWatch, watchTail } from "./unsigned-tail.ts"

export type ChainVerifierInput = {
  readonly hasher: Hasher
  readonly signer: Signer
  readonly heads: readonly SignedHead[]
  readonly roster: SignedRoster | undefined
  /** The chains' records about each other, from `createAnchorCollector`. */
  readonly anchors?: Iterable<Anchor>
  /** Heads the user kept outside the store. */
  readonly expectedHeads?: readonly ChainHead[]
}

export type ChainReport = {
  readonly records: number
  readonly chains: number
  readonly problems: readonly AuditProblem[]
  readonly problemCount: number
  /** Records after their chain's signed head. */
  readonly unsigned: number
  /** Worth keeping elsewhere: the last head of each chain that is certain to survive a power cut. */
  readonly heads: readonly ChainHead[]
}

export type ChainVerifier = {
  /** Records of one chain come together, in the order of their seq. */
  readonly push: (records: readonly AuditRecord[]) => void
  /** Read after the last record, these excuse what was written while the records were read. */
  readonly end: (now?: {
    readonly roster: SignedRoster | undefined
    readonly heads: readonly SignedHead[]
  }) => ChainReport
}

type OpenChain = {
  readonly writer: string
  readonly checkpoints: CheckpointWalk
  readonly signed: ChainHead | undefined
  readonly tail: TailWatch | undefined
  seq: number
  hash: string
}

export function createChainVerifier(input: ChainVerifierInput): ChainVerifier {
  const problems = createProblemList()
  const signed = goodHeads(input, problems)
  const checkpoints = byWriter(checkpointsOf(input, signed))
  const listed = new Set(input.roster?.writers)
  const ends = new Map<string, ChainHead>()
  const tails: AuditProblem[] = []
  let chain: OpenChain | undefined
  let records = 0
  let unsigned = 0

  const open = (writer: string): OpenChain => {
    const places = checkpoints.get(writer) ?? []
    const head = signed.get(writer)
    return {
      ...emptyChain(writer),
      checkpoints: walkCheckpoints(writer, places, problems.add),
      signed: head,
      tail: head === undefined ? undefined : watchTail(head, places),
    }
  }
  const close = (closing: OpenChain): void => {
    closing.checkpoints.end(closing.seq)
    const end = closing.signed ?? { writer: closing.writer, seq: closing.seq, hash: closing.hash }
    ends.set(closing.writer, end)
    if (closing.signed === undefined && listed.has(closing.writer)) problems.add(headMissing(closing.writer))
    unsigned += Math.max(0, closing.seq - (closing.signed?.seq ?? 0))
    const problem = closing.tail?.problem()
    if (problem !== undefined) tails.push(problem)
  }
  return {
    push: (batch) => {
      for (const record of batch) {
        if (chain === undefined || chain.writer !== record.writer) {
          if (chain !== undefined) close(chain)
          chain = open(record.writer)
        }
        follow(chain, record, input.hasher, problems)
      }
      records += batch.length
    },
    end: (now = input) => {
      if (chain !== undefined) close(chain)
      chain = undefined
      checkRoster(input, now.roster, ends, problems)
      checkGone(input, checkpoints, ends, problems)
      for (const problem of tails) if (!hasMoved(problem.writer, now.heads, signed, input.signer)) problems.add(problem)
      return {
        records,
        chains: ends.size,
        problems: problems.first(),
        problemCount: problems.total(),
        unsigned,
        heads: [...ends.values()],
      }
    },
  }
}

/** Takes one record. After a problem it goes on from what is stored, so that one change is one problem. */
function follow(chain: OpenChain, record: AuditRecord, hasher: Hasher, problems: ProblemList): void {
  if (!record.text.startsWith(recordPrefix(record))) problems.add(columnsDiffer(record))
  if (record.seq !== chain.seq + 1) problems.add(outOfStep(chain, record))
  else if (recordHash(chain.hash, record.text, hasher) !== record.hash) problems.add(hashBroken(record))
  if (record.seq === 1 && record.type !== "chain.opened") problems.add(wrongOpening(record))
  if (record.seq <= chain.seq) return
  chain.seq = record.seq
  chain.hash = record.hash
  chain.checkpoints.pass(record.seq, record.hash)
  chain.tail?.pass(record)
}

/** The farthest well-signed head of each chain; the others are reported. */
function goodHeads(input: ChainVerifierInput, problems: ProblemList): Map<string, SignedHead> {
  const good = new Map<string, SignedHead>()
  for (const head of input.heads) {
    const problem = signatureProblem(
      head,
      headIsSigned(head, input.signer),
      input.signer,
      `head of the chain ${head.writer}`,
    )
    if (problem !== undefined) problems.add({ ...problem, writer: head.writer, seq: head.seq })
    else if (head.seq > (good.get(head.writer)?.seq ?? 0)) good.set(head.writer, head)
  }
  return good
}

function* checkpointsOf(input: ChainVerifierInput, signed: ReadonlyMap<string, SignedHead>): Iterable<Checkpoint> {
  for (const { writer, seq, hash } of signed.values()) yield { writer, seq, hash, witness: { kind: "signed" } }
  for (const { writer, seq, hash } of input.expectedHeads ?? []) yield { writer, seq, hash, witness: { kind: "kept" } }
  for (const { writer, seq, hash, by, at } of input.anchors ?? [])
    yield { writer, seq, hash, at, witness: { kind: "anchor", by } }
}

function byWriter(checkpoints: Iterable<Checkpoint>): Map<string, Checkpoint[]> {
  const grouped = new Map<string, Checkpoint[]>()
  for (const checkpoint of checkpoints) {
    // A chain named before its first record says nothing about it.
    if (checkpoint.seq < 1) continue
    const group = grouped.get(checkpoint.writer)
    if (group === undefined) grouped.set(checkpoint.writer, [checkpoint])
    else group.push(checkpoint)
  }
  return grouped
}

/** Whether somebody with the key has signed more of this chain by now: then its process was at work all along. */
function hasMoved(
  writer: string | undefined,
  heads: readonly SignedHead[],
  signed: ReadonlyMap<string, SignedHead>,
  signer: Signer,
): boolean {
  const before = signed.get(writer ?? "")?.seq ?? 0
  return heads.some((head) => head.writer === writer && head.seq > before && headIsSigned(head, signer))
}

type Ends = ReadonlyMap<string, ChainHead>

function checkRoster(
  input: ChainVerifierInput,
  rosterNow: SignedRoster | undefined,
  ends: Ends,
  problems: ProblemList,
): void {
  const rosters = new Set([input.roster, rosterNow])
  for (const roster of rosters) {
    if (roster === undefined) continue
    const problem = signatureProblem(roster, rosterIsSigned(roster, input.signer), input.signer, "roster of chains")
    if (problem !== undefined) problems.add(problem)
  }
  if (rosterNow === undefined) {
    if (ends.size > 0) problems.add(rosterMissing)
    return
  }
  const listed = new Set(rosterNow.writers)
  for (const writer of ends.keys()) if (!listed.has(writer)) problems.add(unlisted(writer))
}

function checkGone(
  input: ChainVerifierInput,
  checkpoints: ReadonlyMap<string, readonly Checkpoint[]>,
  ends: Ends,
  problems: ProblemList,
): void {
  const listed = new Set(input.roster?.writers)
  for (const writer of new Set([...listed, ...checkpoints.keys()])) {
    if (!ends.has(writer)) problems.add(chainRemoved(writer, listed.has(writer), checkpoints.get(writer) ?? []))
  }
}

/** `name` says what is signed, for people. */
function signatureProblem(
  signed: { readonly keyId: string },
  isGood: boolean,
  signer: Signer,
  name: string,
): AuditProblem | undefined {
  if (isGood) return undefined
  return signed.keyId === signer.keyId
    ? { code: "signature-bad", sentence: `The signature of the ${name} is wrong: it was changed without the key.` }
    : {
        code: "key-foreign",
        sentence: `The ${name} is signed with the key ${signed.keyId}, not with yours (${signer.keyId}). Verify with the key this store was made with.`,
      }
}

function columnsDiffer({ writer, seq }: AuditRecord): AuditProblem {
  const sentence = `The columns of record ${seq} of the chain ${writer} do not say what its text says: one of them was changed.`
  return { code: "columns-differ", writer, seq, sentence }
}

function hashBroken({ writer, seq }: AuditRecord): AuditProblem {
  const sentence = `Record ${seq} of the chain ${writer} does not fit the one before it: one of the two was changed.`
  return { code: "hash-broken", writer, seq, sentence }
}

function wrongOpening({ writer, seq, type }: AuditRecord): AuditProblem {
  const sentence = `The chain ${writer} begins with ${type}; every chain begins with chain.opened.`
  return { code: "wrong-opening", writer, seq, sentence }
}

function outOfStep(chain: OpenChain, { writer, seq }: AuditRecord): AuditProblem {
  if (seq <= chain.seq) {
    return {
      code: "record-doubled",
      writer,
      seq,
      sentence: `Record ${seq} of the chain ${writer} is there more than once.`,
    }
  }
  const missing = seq - chain.seq - 1
  const which = missing === 1 ? `Record ${seq - 1}` : `Records ${chain.seq + 1} to ${seq - 1}`
  const sentence = `${which} of the chain ${writer} ${missing === 1 ? "is" : "are"} missing.`
  return { code: "records-missing", writer, seq: chain.seq + 1, sentence }
}

function headMissing(writer: string): AuditProblem {
  const sentence = `The chain ${writer} has no signed head, so nothing shows whether records were removed from its end.`
  return { code: "head-missing", writer, sentence }
}

const rosterMissing: AuditProblem = {
  code: "roster-missing",
  sentence: "There is no signed roster of chains, so nothing shows whether a whole chain was removed.",
}

function unlisted(writer: string): AuditProblem {
  const sentence = `The chain ${writer} is not in the signed roster: it was put in from elsewhere, or the roster was replaced by an older one.`
  return { code: "chain-unlisted", writer, sentence }
}

function chainRemoved(writer: string, isListed: boolean, checkpoints: readonly Checkpoint[]): AuditProblem {
  const farthest = farthestOf(checkpoints)
  const who = [
    ...(isListed ? ["the signed roster"] : []),
    ...(farthest === undefined ? [] : [`${witnessInWords(farthest.witness)} (${recordsInWords(farthest.seq)})`]),
  ]
  const sentence = `The chain ${writer} is gone: ${who.join(" and ")} ${who.length === 1 ? "names" : "name"} it, but it has no records.`
  return { code: "chain-removed", writer, sentence }
}
