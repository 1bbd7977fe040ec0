/**
 * The warnings about a call, for the person who may approve it. Warnings only: no decision rests on them.
 *
 * I1. Every name and value of the arguments, and of what goes to the server beside them, is looked at, however deep it stands; where that would take more than a fixed
 *     amount of work, the rest is left out and a warning says so.
 * I2. A sentence holds no hidden character, whatever the agent sent.
 * I3. One kind of risk cannot crowd out another: each is listed up to a limit and then counted.
 * I4. What others chose stands in quotes that it cannot end, so that nothing of it passes for words of ours.
 */

import { type ToolRef, toolName } from "../../call/call.ts"
import type { ToolDefinition } from "../../call/definition/tool-definition.ts"
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { asObject } from "../../call/json/members.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { firstCharacters } from "../../call/text/first-characters.ts"
import { ownNameWarning } from "../../call/text/own-name.ts"
import { quoted, shownName } from "../../call/text/quoted.ts"
import { keyOf } from "../conditions/argument-key.ts"
import { wordSet } from "./argument-kind.ts"
import { changesFile, createsFile } from "./creates-file.ts"
import { lookalikeName } from "./lookalike-name.ts"
import { nameWords } from "./name-words.ts"
import { isPolicyChange, policyChangeRisks } from "./policy-change-risks.ts"
import type { ApprovedBefore, Risk, RiskKind } from "./risk.ts"
import { looksSecret } from "./secret-like.ts"
import { compileTextRisks, hiddenCharacters, type PlacedText, type RiskContext, reorderedParts } from "./text-risks.ts"

export type { Risk } from "./risk.ts"

export type RiskInput = RiskContext & {
  readonly tool: ToolRef
  readonly args: JsonObject
  /** The other params sent to the server with the arguments, such as `_meta`. */
  readonly extraParams?: JsonObject
  readonly definition: ToolDefinition | null
  /** The names of the server's tools: one that passes for another is told. */
  readonly toolNames?: () => readonly string[]
  /** Absent: the record was not asked. */
  readonly before?: ApprovedBefore
}

/** How much of one call is looked at. Each character is looked at a fixed number of times, so this bounds the time. */
export const mostLookedAt = { characters: 131_072, inOneText: 65_536, inOneName: 256, places: 4_000 } as const

/** The risks of a call, and how much was looked at to find them. */
export type RiskCheck = { readonly risks: readonly Risk[]; readonly characters: number; readonly places: number }

export function risksOf(input: RiskInput): readonly Risk[] {
  return checkRisks(input).risks
}

export function checkRisks(input: RiskInput): RiskCheck {
  const list = riskList()
  const name = firstCharacters(input.tool.tool, mostLookedAt.inOneName)
  const isCreation = createsFile(name, input.args, input)
  const isShown = isCreation || changesFile(name, input.args, input)
  for (const risk of [...toolRisks(input, isShown), ...recordRisks(input, isCreation)]) list.add(risk)
  const approvedHosts = input.before === undefined ? {} : { approvedHosts: input.before.hosts }
  const textRisks = compileTextRisks({ ...input, ...approvedHosts })
  const walk: Walk = { list, textRisks, characters: 0, places: 0, leftOut: false }
  lookThrough(walk, input.args, top)
  if (input.extraParams !== undefined) lookThrough(walk, input.extraParams, top)
  const found = walk.leftOut ? [notChecked(walk), ...list.all()] : list.all()
  const risks = isPolicyChange(input.tool) ? [...policyChangeRisks(input.args), ...withoutShellSigns(found)] : found
  return { risks, characters: walk.characters, places: walk.places }
}

/** First in the list: readers of the warnings must know that they do not cover everything. */
function notChecked({ characters, places }: Walk): Risk {
  const sentence = `Only the first ${characters} characters in ${places} places of this call were checked. Read the rest before you allow it.`
  return { kind: "not-checked", key: "", sentence }
}

/** The sentences of a change of the configuration reach no shell, and have their own use for a semicolon. */
function withoutShellSigns(risks: readonly Risk[]): readonly Risk[] {
  return risks.filter(({ kind }) => kind !== "shell-metacharacters")
}

type RiskList = { readonly add: (risk: Risk) => void; readonly all: () => readonly Risk[] }

const mostOfAKind = 20

function riskList(): RiskList {
  const risks: Risk[] = []
  const counts = new Map<RiskKind, number>()
  return {
    add: (risk) => {
      const count = (counts.get(risk.kind) ?? 0) + 1
      counts.set(risk.kind, count)
      if (count <= mostOfAKind) risks.push(risk)
    },
    all: () => {
      const crowded = [...counts].filter(([, count]) => count > mostOfAKind)
      const more = crowded.map(([kind, count]) => ({
        kind,
        key: "",
        sentence: `The same applies to ${count - mostOfAKind} more places.`,
      }))
      return [...risks, ...more]
    },
  }
}

const destructiveVerbs = wordSet(`
  delete remove drop truncate purge wipe destroy erase kill terminate reset revoke uninstall overwrite format rm rmdir unlink shutdown
  shred discard prune force`)

/** `isShown`: the arguments say themselves what the call writes, and over what. */
function* toolRisks({ tool, definition, toolNames }: RiskInput, isShown: boolean): Generator<Risk> {
  const name = firstCharacters(toolName(tool), mostLookedAt.inOneName)
  const shown = shownName(name)
  const verb = nameWords(firstCharacters(tool.tool, mostLookedAt.inOneName)).find((word) => destructiveVerbs.has(word))
  if (verb !== undefined) {
    yield { kind: "destructive-verb", key: "", sentence: `${shown} may delete data: its name contains "${verb}".` }
  } else if (asObject(definition?.annotations)?.destructiveHint === true && !isShown) {
    yield { kind: "destructive-verb", key: "", sentence: `${shown} may delete data, according to its server.` }
  }
  const hidden = hiddenCharacters(name, "name")
  if (hidden !== null) yield { kind: "hidden-characters", key: "", sentence: `The tool's name ${hidden}.` }
  const reordered = reorderedParts(name)
  if (reordered !== null) yield { kind: "right-to-left", key: "", sentence: `The tool's name ${reordered}.` }
  const ownName = isPolicyChange(tool) ? null : ownNameWarning(firstCharacters(tool.server, mostLookedAt.inOneName))
  if (ownName !== null) yield { kind: "lookalike-name", key: "", sentence: ownName }
  const lookalike = lookalikeName(firstCharacters(tool.tool, mostLookedAt.inOneName), toolNames ?? (() => []))
  if (lookalike !== null) yield { kind: "lookalike-name", key: "", sentence: `The tool's name ${lookalike}.` }
}

/** The risks that follow from earlier calls. */
function* recordRisks({ tool, before }: RiskInput, isCreation: boolean): Generator<Risk> {
  if (before === undefined) return
  // The effect of a creation is plain, no matter who has used the tool before.
  yield* isCreation ? [] : firstUseRisks(tool, before.tool)
  if (before.failure === null) return
  const said = before.failure === "" ? "The server did not say why." : `The server said: ${quoted(before.failure)}`
  yield { kind: "failed-before", key: "", sentence: `The same call failed before. ${said}` }
}

/** The warning that a tool is new: to everybody, or to the agent that calls. */
export function firstUseRisks(tool: ToolRef, usedBy: ApprovedBefore["tool"]): readonly Risk[] {
  const name = shownName(firstCharacters(toolName(tool), mostLookedAt.inOneName))
  if (usedBy === "nobody") {
    const sentence = `First use of ${name}: no call of it has been approved before.`
    return [{ kind: "first-use", key: "", sentence }]
  }
  if (usedBy !== "others") return []
  const sentence = `This agent's first use of ${name}; it has been approved for other agents.`
  return [{ kind: "first-use-by-agent", key: "", sentence }]
}

type Walk = {
  readonly list: RiskList
  readonly textRisks: (placed: PlacedText) => readonly Risk[]
  characters: number
  places: number
  /** Something was not looked at. */
  leftOut: boolean
}

/** Where a value stands. Elements of a list stand under the list's own key and name. The arguments as a whole have no key: `""` is one of them. */
type Place = { readonly key: string | null; readonly name: string; readonly depth: number }

const top: Place = { key: null, name: "", depth: 0 }

/** The reader lets in less; deeper than this the stack is at risk. */
const greatestDepth = 1_000
const mostMembers = 1_000
const longestKey = 512

/** False when the work for this call is used up: then nothing more is looked at. */
function mayGoOn(walk: Walk): boolean {
  if (walk.places < mostLookedAt.places && walk.characters < mostLookedAt.characters) return true
  walk.leftOut = true
  return false
}

function lookThrough(walk: Walk, value: JsonValue, place: Place): void {
  if (!mayGoOn(walk)) return
  walk.places += 1
  if (value === null || typeof value === "boolean") return
  if (typeof value === "string") lookAtText(walk, value, place)
  else if (typeof value === "number") lookAtNumber(walk, String(value), place)
  else if (isRawNumber(value)) lookAtNumber(walk, part(walk, value.rawJSON, mostLookedAt.inOneText), place)
  else if (place.depth >= greatestDepth) warn(walk, "large-value", place, "is nested too deeply to check")
  else if (Array.isArray(value)) {
    lookAtSize(walk, value.length, place)
    for (const item of value) {
      // What is said of a value goes by its name, too: that is read for each of them.
      part(walk, place.name, mostLookedAt.inOneName)
      if (!mayGoOn(walk)) return
      lookThrough(walk, item, { ...place, depth: place.depth + 1 })
    }
  } else lookAtMembers(walk, value as JsonObject, place)
}

/** The beginning of a text, as far as it may be looked at; counts it. */
function part(walk: Walk, text: string, most: number): string {
  const room = Math.min(most, mostLookedAt.characters - walk.characters)
  const seen = firstCharacters(text, room)
  walk.characters += seen.length
  if (seen.length < text.length) walk.leftOut = true
  return seen
}

function lookAtText(walk: Walk, whole: string, { key: at, name }: Place): void {
  const key = at ?? ""
  const text = part(walk, whole, mostLookedAt.inOneText)
  for (const risk of walk.textRisks({ key, name, text, length: whole.length })) walk.list.add(risk)
}

function lookAtNumber(walk: Walk, text: string, place: Place): void {
  if (looksSecret(place.name, text)) warn(walk, "secret-like", place, "looks like a secret")
}

function lookAtSize(walk: Walk, count: number, place: Place): void {
  if (count > mostMembers) warn(walk, "large-value", place, `is very large: ${count} entries`)
}

function lookAtMembers(walk: Walk, object: JsonObject, place: Place): void {
  const names = Object.keys(object)
  lookAtSize(walk, names.length, place)
  for (const whole of names) {
    if (!mayGoOn(walk)) return
    const name = part(walk, whole, mostLookedAt.inOneName)
    const inner = { key: keyBelow(place.key, whole), name, depth: place.depth + 1 }
    const hidden = hiddenCharacters(name, "name")
    if (hidden !== null) warn(walk, "hidden-characters", inner, `is a name that ${hidden}`)
    const reordered = reorderedParts(name)
    if (reordered !== null) warn(walk, "right-to-left", inner, `is a name that ${reordered}`)
    lookThrough(walk, object[whole] as JsonValue, inner)
  }
}

/** Names are chosen by agents: a key that has grown too long stays as it is for everything below it. */
function keyBelow(key: string | null, name: string): string {
  if (key !== null && key.length >= longestKey) return key
  const own = keyOf([firstCharacters(name, longestKey)])
  return key === null ? own : `${key}.${own}`
}

function warn(walk: Walk, kind: RiskKind, { key }: Place, what: string): void {
  walk.list.add({ kind, key: key ?? "", sentence: `${key === null ? "The call" : quoted(key)} ${what}.` })
}
