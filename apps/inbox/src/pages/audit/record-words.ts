/**
 * What a record says, in a sentence. A record may have been tampered with, so nothing is taken for granted of its body: what is missing is
 * left out of the sentence.
 */
import type { AuditRecordView } from "@byleave/api"
import type { Tone } from "@byleave/ui"

/** Ours as plain strings; what others wrote apart, to be shown as theirs. */
export type Sentence = readonly (string | { readonly their: string })[]

type Type = AuditRecordView["type"]
type Body = AuditRecordView["body"]
type Words = (body: Body) => Sentence

export function recordSentence(record: AuditRecordView): Sentence {
  const ofCard = record.forCard === true ? cardSentences.get(record.type) : undefined
  return (ofCard ?? sentences[record.type])(record.body)
}

/** The time and place a record carries beside its sentence: how long something may wait or lasts. */
const when = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" })

const sentences = {
  "chain.opened": () => ["A process began to keep records."],
  "heads.anchored": () => ["The trails of other processes were noted, so that cutting one shows in another."],
  "call.hidden": (body) => [...agent(body), " called ", tool(body), ", which is hidden from it. It was refused."],
  "call.denied": (body) => [...agent(body), " called ", tool(body), ". It was refused without asking."],
  "call.asked": (body) => [...agent(body), " called ", tool(body), anew(body), ". A person was asked."],
  "call.allowed": (body) => [
    ...agent(body),
    " called ",
    tool(body),
    `. It was allowed without asking, ${allowedBecause(body)}.`,
  ],
  "approval.voted": (body) => [...by(body), ` said yes${edited(body)}. More people are needed.`],
  "approval.approved": (body) => [...by(body), ` allowed it${edited(body)}${released(body)}.`],
  "approval.denied": (body) =>
    textIn(body, "by") === null ? ["It was denied by a newer rule."] : [...by(body), " denied it."],
  "approval.extended": (body) => [...by(body), ` let it wait ${until(body, "as long as it takes")}.`],
  "approval.expired": () => ["Its time ran out."],
  "approval.cancelled": (body) =>
    textIn(body, "by") === null ? ["It was withdrawn."] : [...by(body), " revoked the approval."],
  "approval.superseded": () => ["The tool's definition changed, so the question lapsed."],
  "run.started": (body) => [
    "The call was handed to ",
    { their: textIn(body, "server") ?? "the server" },
    `${edited(body)}.`,
    ...(textIn(body, "by") === null ? [] : [" ", ...by(body), " had it run while the agent was away."]),
  ],
  "run.succeeded": () => ["The tool answered."],
  "run.failed": () => ["The tool or its server said no."],
  "run.unknown": () => ["Nobody can tell whether it ran."],
  "grant.created": (body) => [
    ...by(body),
    textIn(body, "effect") === "deny" ? " had a no remembered" : " had a yes remembered",
    ...breadth(body),
    ".",
  ],
  "grant.revoked": (body) =>
    textIn(body, "by") === null
      ? ["A remembered answer ran out."]
      : [...by(body), " had a remembered answer forgotten."],
  "mode.set": (body) => [
    ...by(body),
    " set a session of ",
    ...principal(body),
    ` to ${textIn(body, "mode") ?? "another mode"}${untilIn(body)}.`,
  ],
  "session.ended": (body) => ["A session of ", ...principal(body), " ended."],
  "tool.lifted": (body) => [...by(body), " let ", tool(body), " be asked for again."],
  "definition.pinned": (body) => ["Byleave keeps ", ...defined(body), " as seen first."],
  "definition.proposed": (body) => [
    "A server changed ",
    ...defined(body),
    ". Agents are not told of that until somebody accepts it.",
  ],
  "definition.accepted": (body) => [...by(body), " accepted ", ...defined(body), "."],
  "definition.rejected": (body) => [...by(body), " rejected what became of ", ...defined(body), "."],
  "definition.quarantined": (body) => [...by(body), " put ", ...quarantined(body), " in quarantine."],
  "definition.lifted": (body) => [...by(body), " took ", ...quarantined(body), " out of quarantine."],
  "policy.changed": (body) =>
    textIn(body, "by") === null ? ["The policy changed."] : [...by(body), " changed the policy."],
  "access.changed": (body) => [accessWords(body), { their: textIn(body, "name") ?? "?" }, ...byWhom(body), "."],
  "server.changed": (body) => [
    ...by(body),
    ` ${serverActs.get(textIn(body, "change") ?? "") ?? "changed something about"} the server `,
    { their: textIn(body, "server") ?? "?" },
    ".",
  ],
  "payloads.removed": (body) => [
    `Old arguments and results were removed: of ${numberIn(body, "approvals") ?? 0} held calls and ${numberIn(body, "records") ?? 0} records.`,
  ],
} as const satisfies Record<Type, Words>

/** Of what the inbox itself reads to show a card. A file that is to be made is not there yet, which is nobody's failure. */
const cardSentences: ReadonlyMap<Type, Words> = new Map<Type, Words>([
  [
    "call.allowed",
    (body) => [
      "Read to show a card to ",
      { their: readerIn(body) },
      ", with ",
      tool(body),
      `, ${allowedBecause(body)}.`,
    ],
  ],
  ["run.succeeded", () => ["What was read to show a card came."]],
  ["run.failed", () => ["There was nothing to read for a card: the file may not be there yet."]],
  ["run.unknown", () => ["What was read to show a card did not come."]],
])

/** The person's name in the caller's, which begins with the inbox's. */
function readerIn(body: Body): string {
  const caller = textIn(body, "principal") ?? "a person"
  return caller.slice(caller.indexOf(":") + 1)
}

/** Words that somebody gave with it; of a judgement, why it is so, which is ours and begins a sentence. */
export function recordReason({ type, body }: AuditRecordView): string | null {
  const words = textIn(body, type === "run.unknown" ? "detail" : "reason")
  return words !== null && type.startsWith("call.") ? beginning(words) : words
}

/** Ours are marked already where names in them hide something; those of people are as they wrote them. */
export function isOurReason({ type, body }: AuditRecordView): boolean {
  return (
    type.startsWith("call.") || type === "run.unknown" || type === "approval.cancelled" || textIn(body, "by") === null
  )
}

export function beginning(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
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

export function textIn(body: Body, key: string): string | null {
  const value = Object.hasOwn(body, key) ? body[key] : null
  return typeof value === "string" && value !== "" ? value : null
}

export function numberIn(body: Body, key: string): number | null {
  const value = Object.hasOwn(body, key) ? body[key] : null
  return typeof value === "number" ? value : null
}

function tool(body: Body): { readonly their: string } {
  const server = textIn(body, "server") ?? "?"
  const kind = textIn(body, "kind") ?? "tool"
  const name = textIn(body, "tool") ?? "?"
  return { their: kind === "tool" ? `${server}(${name})` : `${server}(${kind}:${name})` }
}

/** Without a tool it is the server's own words. */
function defined(body: Body): Sentence {
  if (textIn(body, "tool") !== "") return ["the definition of ", tool(body)]
  return ["the instructions of ", { their: textIn(body, "server") ?? "?" }]
}

function quarantined(body: Body): Sentence {
  return textIn(body, "tool") === "" ? ["the server ", { their: textIn(body, "server") ?? "?" }] : [tool(body)]
}

function agent(body: Body): Sentence {
  return [{ their: textIn(body, "principal") ?? "An agent" }]
}

function principal(body: Body): Sentence {
  return [{ their: textIn(body, "principal") ?? "an agent" }]
}

function by(body: Body): Sentence {
  return [{ their: textIn(body, "by") ?? "Byleave" }]
}

function byWhom(body: Body): Sentence {
  const who = textIn(body, "by")
  return who === null ? [] : [", by ", { their: who }]
}

function edited(body: Body): string {
  return body.edited === true ? ", with changed arguments" : ""
}

function released(body: Body): string {
  return textIn(body, "grant") === null ? "" : ", and it is remembered"
}

function anew(body: Body): string {
  return textIn(body, "rerunOf") === null ? "" : " anew"
}

function until(body: Body, forEver: string): string {
  const at = numberIn(body, "until")
  return at === null ? forEver : `until ${when.format(at)}`
}

function untilIn(body: Body): string {
  const at = numberIn(body, "until")
  return at === null ? "" : ` until ${when.format(at)}`
}

const because: ReadonlyMap<string, string> = new Map([
  ["rule", "by a rule"],
  ["grant", "because it is remembered"],
  ["mode", "by the session's mode"],
  ["default", "by default"],
  ["passes", "since no rule speaks of it"],
])

function allowedBecause(body: Body): string {
  const words = because.get(textIn(body, "because") ?? "") ?? "by policy"
  return body.wouldAsk === true ? `${words}; otherwise it would have asked` : words
}

function breadth(body: Body): Sentence {
  const value = body.breadth
  if (typeof value !== "object" || value === null || Array.isArray(value)) return []
  const inside = value as Body
  const server = textIn(inside, "server")
  const name = textIn(inside, "tool")
  if (server === null) return []
  return [" for ", { their: name === null ? server : `${server}(${name})` }]
}

const serverActs: ReadonlyMap<string, string> = new Map([
  ["stopped", "stopped"],
  ["started", "started"],
  ["reconnected", "had Byleave connect anew to"],
])

const accessSubjects: ReadonlyMap<string, string> = new Map([
  ["token", "A token"],
  ["reviewer", "A reviewer"],
  ["device", "A signed-in device"],
  ["pin", "A PIN"],
  ["sign-in", "A sign-in link"],
])

function accessWords(body: Body): string {
  const what = accessSubjects.get(textIn(body, "what") ?? "") ?? "Who may do what"
  return `${what} was ${textIn(body, "change") ?? "changed"}: `
}

/** A record's type as a label: `Grant created`. */
export function typeWords({ type, forCard }: Pick<AuditRecordView, "type" | "forCard">): string {
  if (forCard === true) return "Read for a card"
  return `${type.charAt(0).toUpperCase()}${type.slice(1)}`.replace(".", " ")
}
