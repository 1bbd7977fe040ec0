import type { EpochMs } from "../call/call.ts"
import { type AuditProblem, createProblemList } from "./audit-problem.ts"
import type { AuditRecord, AuditType, ChainHead } from "./record.ts"

/** The records in which a chain names the heads of others. */
export const anchorTypes = ["chain.opened", "heads.anchored"] as const satisfies readonly AuditType[]

/** The head of one chain as another chain recorded it, and when that last did. */
export type Anchor = ChainHead & { readonly by: string; readonly at: EpochMs }

/**
 * Collects anchors before the chains are read, since a chain may be named by one that is read after it. A head named many
 * times is kept once, so memory grows with the different heads named and not with the records.
 */
export type AnchorCollector = {
  readonly push: (records: readonly AuditRecord[]) => void
  readonly anchors: () => Iterable<Anchor>
  readonly problems: () => readonly AuditProblem[]
}

export function createAnchorCollector(): AnchorCollector {
  const found = new Map<string, Anchor>()
  const problems = createProblemList()
  const collect = (record: AuditRecord): void => {
    const heads = anchorsOf(record)
    if (heads === undefined) problems.add(unreadable(record))
    for (const head of heads ?? []) {
      const key = `${head.seq} ${head.hash} ${head.writer}`
      const known = found.get(key)
      if (known === undefined || known.at < record.at) found.set(key, { ...head, by: record.writer, at: record.at })
    }
  }
  return {
    push: (records) => {
      for (const record of records) collect(record)
    },
    anchors: () => found.values(),
    problems: problems.first,
  }
}

/** Undefined when the record's text does not hold what it must. */
function anchorsOf(record: AuditRecord): readonly ChainHead[] | undefined {
  const anchors = bodyOf(record.text)?.anchors
  if (!Array.isArray(anchors)) return undefined
  return anchors.every(isHead) ? anchors : undefined
}

function bodyOf(text: string): { readonly [key: string]: unknown } | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) && isObject(parsed.body) ? parsed.body : undefined
  } catch {
    return undefined
  }
}

function isHead(value: unknown): value is ChainHead {
  if (!isObject(value)) return false
  return typeof value.writer === "string" && Number.isSafeInteger(value.seq) && typeof value.hash === "string"
}

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null
}

function unreadable(record: AuditRecord): AuditProblem {
  return {
    code: "anchor-unreadable",
    writer: record.writer,
    seq: record.seq,
    sentence: `Record ${record.seq} of the chain ${record.writer} should name the heads of other chains, and cannot be read.`,
  }
}
