/**
 * A record in a sentence. The record may have been tampered with, so nothing is taken for granted of its body: what is missing is left out
 * of the sentence.
 */
import type { AuditRecordView } from "@byleave/api"
import { capitalized, type Tone } from "@byleave/ui"
import {
  accessWords,
  agent,
  allowedBecause,
  anew,
  type Body,
  breadth,
  by,
  byWhom,
  defined,
  edited,
  modeIn,
  numberIn,
  principal,
  quarantined,
  readerIn,
  released,
  runTitle,
  type Sentence,
  serverActs,
  switchesIn,
  textIn,
  tool,
  until,
  untilIn,
} from "./record-parts.ts"

type Type = AuditRecordView["type"]
type Words = (body: Body) => Sentence

export function recordSentence(record: AuditRecordView): Sentence {
  const ofCard = record.forCard === true ? cardSentences.get(record.type) : undefined
  return (ofCard ?? sentences[record.type])(record.body)
}

const sentences = {
  "chain.opened": () => ["A process started recording."],
  "heads.anchored": () => [
    "The latest records of other processes were noted, so that truncating one of them can be detected.",
  ],
  "call.hidden": (body) => [...agent(body), " called ", tool(body), ", which is hidden from it. It was refused."],
  "call.denied": (body) => [...agent(body), " called ", tool(body), ". It was denied by policy."],
  "call.asked": (body) =>
    textIn(body, "undoOf") === null
      ? [...agent(body), " called ", tool(body), anew(body), ". It needs approval."]
      : [
          { their: readerIn(body) },
          " puts a file back as it was before another call changed it, with ",
          tool(body),
          ". It needs approval.",
        ],
  "call.allowed": (body) => [
    ...agent(body),
    " called ",
    tool(body),
    `. It was allowed without approval, ${allowedBecause(body)}.`,
  ],
  "approval.voted": (body) => [...by(body), ` approved it${edited(body)}. More approvals are needed.`],
  "approval.approved": (body) => [...by(body), ` allowed it${edited(body)}${released(body)}.`],
  "approval.denied": (body) =>
    textIn(body, "by") === null ? ["It was denied by a newer rule."] : [...by(body), " denied it."],
  "approval.extended": (body) => [...by(body), ` extended the deadline ${until(body, "indefinitely")}.`],
  "approval.expired": () => ["It expired."],
  "approval.cancelled": (body) =>
    textIn(body, "by") === null ? ["It was withdrawn."] : [...by(body), " revoked the approval."],
  "approval.superseded": () => ["The tool's definition changed, so the call was dropped."],
  "run.started": (body) => [
    "The call was sent to ",
    { their: textIn(body, "server") ?? "the server" },
    `${edited(body)}.`,
    ...(textIn(body, "by") === null ? [] : [" ", ...by(body), " had it run; no agent was waiting for it."]),
  ],
  "run.succeeded": () => ["The tool succeeded."],
  "run.failed": () => ["The tool or its server returned an error."],
  "run.unknown": () => ["It is not known whether it ran."],
  "grant.created": (body) => [
    ...by(body),
    textIn(body, "effect") === "deny" ? " saved a denial" : " saved a permission",
    ...breadth(body),
    ".",
  ],
  "grant.revoked": (body) =>
    textIn(body, "by") === null ? ["A permission expired."] : [...by(body), " revoked a permission."],
  "mode.set": (body) => [...by(body), " set a session of ", ...principal(body), ` to ${modeIn(body)}${untilIn(body)}.`],
  "session.launched": (body) => [
    ...principal(body),
    " was started with ",
    { their: switchesIn(body) },
    ", so that it asks less by itself.",
  ],
  "session.ended": (body) => ["A session of ", ...principal(body), " ended."],
  "tool.lifted": (body) => [...by(body), " lifted the block on ", tool(body), "."],
  "definition.pinned": (body) => ["Byleave accepted ", ...defined(body), " as first seen."],
  "definition.proposed": (body) => [
    "A server changed ",
    ...defined(body),
    ". Agents do not see the change until somebody accepts it.",
  ],
  "definition.accepted": (body) => [...by(body), " accepted ", ...defined(body), "."],
  "definition.rejected": (body) => [...by(body), " rejected a change to ", ...defined(body), "."],
  "definition.quarantined": (body) => [...by(body), " put ", ...quarantined(body), " in quarantine."],
  "definition.lifted": (body) => [...by(body), " released ", ...quarantined(body), " from quarantine."],
  "policy.changed": (body) =>
    textIn(body, "by") === null ? ["The policy changed."] : [...by(body), " changed the policy."],
  "access.changed": (body) => [accessWords(body), { their: textIn(body, "name") ?? "?" }, ...byWhom(body), "."],
  "server.changed": (body) => [
    ...by(body),
    ` ${serverActs.get(textIn(body, "change") ?? "") ?? "changed"} the server `,
    { their: textIn(body, "server") ?? "?" },
    ".",
  ],
  "payloads.removed": (body) => [
    `Old arguments and results were removed from ${numberIn(body, "approvals") ?? 0} reviewed calls and ${numberIn(body, "records") ?? 0} records.`,
  ],
  "agent-run.started": (body) => [...by(body), " started the agent run ", ...runTitle(body), "."],
  "agent-run.paused": (body) => ["The agent run ", ...runTitle(body), " paused: its next calls need approval."],
  "agent-run.resumed": (body) =>
    textIn(body, "by") === null
      ? ["The agent run ", ...runTitle(body), " went on."]
      : [...by(body), " continued the agent run ", ...runTitle(body), "."],
  "agent-run.finished": (body) => ["The agent run ", ...runTitle(body), " finished."],
  "agent-run.failed": (body) => ["The agent run ", ...runTitle(body), " failed."],
  "agent-run.stopped": (body) => [...by(body), " stopped the agent run ", ...runTitle(body), "."],
  "agent-run.cancelled": (body) =>
    textIn(body, "by") === null
      ? ["The agent run ", ...runTitle(body), " was cancelled."]
      : [...by(body), " cancelled the agent run ", ...runTitle(body), "."],
  "agent-run.exported": (body) => [...by(body), " exported the agent run ", ...runTitle(body), ". It ended here."],
  "agent-run.imported": (body) => [...by(body), " imported the agent run ", ...runTitle(body), "."],
} as const satisfies Record<Type, Words>

/** Of what the inbox itself reads to show a card. A file that is to be made is not there yet, which is nobody's failure. */
const cardSentences: ReadonlyMap<Type, Words> = new Map<Type, Words>([
  [
    "call.allowed",
    (body) => [
      "Read for a review card shown to ",
      { their: readerIn(body) },
      ", with ",
      tool(body),
      `, ${allowedBecause(body)}.`,
    ],
  ],
  ["run.succeeded", () => ["The file was read for a review card."]],
  ["run.failed", () => ["Nothing to read for the review card: the file may not exist yet."]],
  ["run.unknown", () => ["The file for a review card could not be read."]],
])

/** Words that somebody gave with it; of a judgement, why it is so, which is ours and begins a sentence. */
export function recordReason({ type, body }: AuditRecordView): string | null {
  const words = textIn(body, type === "run.unknown" ? "detail" : "reason")
  return words !== null && type.startsWith("call.") ? capitalized(words) : words
}

/** Ours are marked already where names in them hide something; those of people are as they wrote them. */
export function isOurReason({ type, body }: AuditRecordView): boolean {
  return (
    type.startsWith("call.") || type === "run.unknown" || type === "approval.cancelled" || textIn(body, "by") === null
  )
}

/** The tool it is about, where the sentence does not name it. */
export function recordTool({ type, body }: AuditRecordView): string | null {
  const isSilent = type.startsWith("approval.") || type === "run.started"
  return isSilent && textIn(body, "tool") !== null ? tool(body).their : null
}

export function recordTone({ type, forCard }: Pick<AuditRecordView, "type" | "forCard">): Tone {
  return forCard === true ? "plain" : (tones.get(type) ?? "plain")
}

const tones: ReadonlyMap<Type, Tone> = new Map<Type, Tone>([
  ["call.hidden", "no"],
  ["call.denied", "no"],
  ["call.asked", "wait"],
  ["approval.voted", "yes"],
  ["approval.approved", "yes"],
  ["approval.denied", "no"],
  ["run.started", "know"],
  ["run.succeeded", "yes"],
  ["run.failed", "no"],
  ["run.unknown", "wait"],
  ["definition.proposed", "wait"],
  ["server.changed", "know"],
])

/** Types whose own words say little to people who do not know the records. */
const typeNames: ReadonlyMap<Type, string> = new Map<Type, string>([
  ["chain.opened", "Recording started"],
  ["call.asked", "Approval requested"],
  ["approval.voted", "Approved by one"],
  ["grant.created", "Permission saved"],
  ["grant.revoked", "Permission revoked"],
  ["tool.lifted", "Tool unblocked"],
  ["payloads.removed", "Stored data removed"],
])

export function typeWords({ type, forCard }: Pick<AuditRecordView, "type" | "forCard">): string {
  if (forCard === true) return "Read for review card"
  return typeNames.get(type) ?? `${type.charAt(0).toUpperCase()}${type.slice(1)}`.replace(".", " ")
}
