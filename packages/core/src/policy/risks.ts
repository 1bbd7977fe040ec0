/**
 * What a person should look at twice before saying yes to a call. Warnings only: no decision rests on them.
 *
 * I1. Every name and value of the arguments is looked at, however deep it stands.
 * I2. A sentence holds no hidden character, whatever the agent sent.
 * I3. One kind of risk cannot crowd out another: each is listed up to a limit and then counted.
 */
import { type ToolRef, toolName } from "../call/call.ts"
import type { JsonObject, JsonValue } from "../call/json.ts"
import { isRawNumber } from "../call/raw-number.ts"
import { showText } from "../call/show-text.ts"
import type { ToolDefinition } from "../call/tool-definition.ts"
import { keyOf } from "./argument-key.ts"
import { wordSet } from "./argument-kind.ts"
import { asObject } from "./as-object.ts"
import { lookalikeName } from "./lookalike-name.ts"
import { nameWords } from "./name-words.ts"
import type { Risk, RiskKind } from "./risk.ts"
import { looksSecret } from "./secret-like.ts"
import { compileTextRisks, hiddenCharacters, type PlacedText, quoted, type RiskContext } from "./text-risks.ts"

export type { Risk } from "./risk.ts"

export type RiskInput = RiskContext & {
  readonly tool: ToolRef
  readonly args: JsonObject
  readonly definition: ToolDefinition | null
  /** The names of the server's tools: one that passes for another is told. */
  readonly toolNames?: () => readonly string[]
}

export function risksOf(input: RiskInput): readonly Risk[] {
  const list = riskList()
  for (const risk of toolRisks(input)) list.add(risk)
  const walk: Walk = { list, textRisks: compileTextRisks(input) }
  lookThrough(walk, input.args, { segments: [], name: "", depth: 0 })
  return list.all()
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
        sentence: `The same goes for ${count - mostOfAKind} more places.`,
      }))
      return [...risks, ...more]
    },
  }
}

const destructiveVerbs = wordSet(`
  delete remove drop truncate purge wipe destroy erase kill terminate reset revoke uninstall overwrite format rm rmdir unlink shutdown
  shred discard prune force`)

function* toolRisks({ tool, definition, toolNames }: RiskInput): Generator<Risk> {
  const shown = showText(toolName(tool))
  const verb = nameWords(tool.tool).find((word) => destructiveVerbs.has(word))
  if (verb !== undefined) {
    yield { kind: "destructive-verb", key: "", sentence: `${shown} can destroy things: its name says "${verb}".` }
  } else if (asObject(definition?.annotations)?.destructiveHint === true) {
    yield { kind: "destructive-verb", key: "", sentence: `${shown} can destroy things: its server says so.` }
  }
  const hidden = hiddenCharacters(toolName(tool), "name")
  if (hidden !== null) yield { kind: "hidden-characters", key: "", sentence: `The tool's name ${hidden}.` }
  const lookalike = lookalikeName(tool.tool, toolNames ?? (() => []))
  if (lookalike !== null) yield { kind: "lookalike-name", key: "", sentence: `The tool's name ${lookalike}.` }
}

type Walk = { readonly list: RiskList; readonly textRisks: (placed: PlacedText) => readonly Risk[] }

/** Where a value stands. Elements of a list stand under the list's own key and name. */
type Place = { readonly segments: readonly string[]; readonly name: string; readonly depth: number }

/** The reader lets in less; deeper than this the stack is at risk. */
const greatestDepth = 1_000
const mostMembers = 1_000

function lookThrough(walk: Walk, value: JsonValue, place: Place): void {
  if (value === null || typeof value === "boolean") return
  if (typeof value === "string") lookAtText(walk, value, place)
  else if (typeof value === "number") lookAtNumber(walk, String(value), place)
  else if (isRawNumber(value)) lookAtNumber(walk, value.rawJSON, place)
  else if (place.depth >= greatestDepth) warn(walk, "large-value", place, "is nested too deeply to be looked through")
  else if (Array.isArray(value)) {
    lookAtSize(walk, value.length, place)
    for (const item of value) lookThrough(walk, item, { ...place, depth: place.depth + 1 })
  } else lookAtMembers(walk, value as JsonObject, place)
}

function lookAtText(walk: Walk, text: string, place: Place): void {
  for (const risk of walk.textRisks({ key: keyOf(place.segments), name: place.name, text })) walk.list.add(risk)
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
  for (const name of names) {
    const inner = { segments: [...place.segments, name], name, depth: place.depth + 1 }
    const hidden = hiddenCharacters(name, "name")
    if (hidden !== null) warn(walk, "hidden-characters", inner, `is a name that ${hidden}`)
    lookThrough(walk, object[name] as JsonValue, inner)
  }
}

function warn(walk: Walk, kind: RiskKind, place: Place, what: string): void {
  const key = keyOf(place.segments)
  walk.list.add({ kind, key, sentence: `${key === "" ? "The call" : quoted(key)} ${what}.` })
}
