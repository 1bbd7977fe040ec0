/**
 * Answers to questions of servers, by their members.
 *
 * I1. An answer has the members of one kind, each of its type, and nothing beside them in whatever spelling.
 * I2. What can be read as an answer to several kinds of questions counts as one to each of them, or is none.
 */
import { asObject, isObject, type JsonObject, type JsonValue, objectAt, textAt } from "@byleave/core"
import { foldedName } from "../../wire/names/twin-names.ts"
import { type QuestionKind, questionKinds } from "./inquiries.ts"

type Members = ReadonlyMap<string, (value: JsonValue) => boolean>

const isText = (value: JsonValue): boolean => typeof value === "string"
const isContent = (value: JsonValue): boolean => isObject(value) || Array.isArray(value)

/** The members by which an answer of a kind is known: no other kind has them. */
const marks: Readonly<Record<QuestionKind, Members>> = {
  elicitation: new Map([["action", isText]]),
  sampling: new Map([
    ["role", isText],
    ["model", isText],
    ["stopReason", isText],
  ]),
  roots: new Map([["roots", Array.isArray]]),
}

const common = [
  ["_meta", isObject],
  ["resultType", isText],
] as const

const membersOf: Readonly<Record<QuestionKind, Members>> = {
  elicitation: new Map([...common, ...marks.elicitation, ["content", isObject]]),
  sampling: new Map([...common, ...marks.sampling, ["content", isContent]]),
  roots: new Map([...common, ...marks.roots]),
}

/** Of an answer that does not show its kind. */
const unmarked: Members = new Map([...common, ["content", isContent]])

export type KnownAnswer =
  | {
      readonly ok: true
      readonly answer: JsonObject
      /** Everything that it may be taken for. */
      readonly kinds: readonly QuestionKind[]
      readonly dropped: readonly string[]
    }
  /** `member`: the one that speaks against it; null: it is no object, or of several kinds. */
  | { readonly ok: false; readonly member: string | null }

/** An answer of which nobody knows what question it is to. The same object where nothing had to be left out. */
export function knownAnswer(given: JsonValue, unknown: "refuse" | "drop"): KnownAnswer {
  const said = asObject(given)
  if (said === undefined) return { ok: false, member: null }
  const all = [...questionKinds.values()]
  const [kind, other] = all.filter((each) => Object.keys(said).some((key) => marks[each].has(key)))
  if (other !== undefined) return { ok: false, member: null }
  const members = kind === undefined ? unmarked : membersOf[kind]
  const kept: Array<readonly [string, JsonValue]> = []
  const dropped: string[] = []
  for (const [key, value] of Object.entries(said)) {
    const isOfType = members.get(key)
    if (isOfType === undefined && unknown === "refuse") return { ok: false, member: key }
    if (isOfType === undefined) dropped.push(key)
    // Some clients write null for what they leave out.
    else if (value !== null) {
      if (!isOfType(value)) return { ok: false, member: key }
      kept.push([key, value])
    }
  }
  const answer = kept.length === Object.keys(said).length ? said : Object.fromEntries(kept)
  return { ok: true, answer, kinds: kind === undefined ? all : kindsOf(kind, answer), dropped }
}

const anyMember: ReadonlySet<string> = new Set(Object.values(membersOf).flatMap((members) => [...members.keys()]))

/** Whether an object has no member of any kind of answer. */
export function hasNoAnswer(given: JsonValue): boolean {
  const names = Object.keys(asObject(given) ?? {})
  return names.length > 0 && !names.some((name) => anyMember.has(name))
}

/** An answer of which the question is known, without what is no part of one. */
export function answerTo(kind: QuestionKind, said: JsonObject): JsonObject {
  const kept = Object.entries(said).filter(([key]) => key !== "resultType" && membersOf[kind].has(key))
  return Object.fromEntries(kept)
}

function kindsOf(kind: QuestionKind, answer: JsonObject): readonly QuestionKind[] {
  return kind === "elicitation" && readsAsMessage(objectAt(answer, "content")) ? [kind, "sampling"] : [kind]
}

const messageTypes: ReadonlySet<string> = new Set(["text", "image", "audio", "tool_use", "tool_result"].map(foldedName))
const typeName = foldedName("type")

/** Whether the content of a form reads as that of a model's message. */
function readsAsMessage(content: JsonObject | undefined): boolean {
  return Object.keys(content ?? {}).some(
    (key) => foldedName(key) === typeName && messageTypes.has(foldedName(textAt(content, key) ?? "")),
  )
}
