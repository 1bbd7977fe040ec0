/**
 * Links records into a writer's chain.
 *
 * I1. A record's hash covers its text and, through the previous hash, every record before it in its chain.
 * I2. The text begins with the record's columns, so a column cannot differ from what was hashed.
 */
import type { Hasher, Signer } from "../call/hasher.ts"
import type { AuditDraft, AuditRecord, ChainHead, SignedHead, SignedRoster } from "./record.ts"

/** Where a chain begins, before its first record. */
export function emptyChain(writer: string): ChainHead {
  return { writer, seq: 0, hash: "0".repeat(64) }
}

/** The record that follows `head`. */
export function linkRecord(head: ChainHead, draft: AuditDraft, hasher: Hasher): AuditRecord {
  const { writer } = head
  const seq = head.seq + 1
  const { type, subject, step, at } = draft
  const prefix = recordPrefix({ writer, seq, type, subject, step, at })
  // The text is cut out of what is hashed: joined by itself as well, it would be copied once more.
  const hashed = hashedText(head.hash, `${prefix}${JSON.stringify(draft.body)}}`)
  const text = hashed.slice(head.hash.length + 1)
  return { writer, seq, type, subject, step, at, text, hash: hasher.sha256(hashed) }
}

/** The beginning of a record's text; its body follows, then a closing brace. */
export function recordPrefix(record: Omit<AuditRecord, "text" | "hash">): string {
  const subject = record.subject === null ? "null" : JSON.stringify(record.subject)
  return `{"writer":${JSON.stringify(record.writer)},"seq":${record.seq},"type":"${record.type}","subject":${subject},"step":${record.step},"at":${record.at},"body":`
}

export function recordHash(previous: string, text: string, hasher: Hasher): string {
  return hasher.sha256(hashedText(previous, text))
}

function hashedText(previous: string, text: string): string {
  return `${previous}\n${text}`
}

export function headOf(record: AuditRecord): ChainHead {
  return { writer: record.writer, seq: record.seq, hash: record.hash }
}

export function signHead(head: ChainHead, at: number, signer: Signer): SignedHead {
  return { ...head, at, keyId: signer.keyId, signature: signer.sign(headText(head, at)) }
}

export function headIsSigned(head: SignedHead, signer: Signer): boolean {
  return head.keyId === signer.keyId && signer.verify(headText(head, head.at), head.signature)
}

export function signRoster(writers: readonly string[], signer: Signer): SignedRoster {
  const sorted = [...writers].sort()
  return { writers: sorted, keyId: signer.keyId, signature: signer.sign(rosterText(sorted)) }
}

export function rosterIsSigned(roster: SignedRoster, signer: Signer): boolean {
  return roster.keyId === signer.keyId && signer.verify(rosterText([...roster.writers].sort()), roster.signature)
}

function headText(head: ChainHead, at: number): string {
  return `byleave head 1\n${JSON.stringify([head.writer, head.seq, head.hash, at])}`
}

function rosterText(writers: readonly string[]): string {
  return `byleave roster 1\n${JSON.stringify(writers)}`
}
