/** The changes in a tool's definition, for the person who is asked to accept it, most important first. */
import type { PinView } from "@byleave/api"
import { isRawNumber, type JsonObject, type JsonValue, textAmongValues } from "@byleave/core"

type Difference = PinView["differences"][number]

type DefinitionGroup = {
  readonly matters: Difference["matters"]
  readonly title: string
  readonly why: string
  readonly changes: readonly DefinitionChange[]
}

export type DefinitionChange = {
  readonly path: string
  /** Where it is, in words where we have some. */
  readonly place: string
  readonly kind: Difference["kind"]
  /** Null: nothing stood there. */
  readonly before: string | null
  readonly after: string | null
}

const groups = [
  {
    matters: "hints",
    title: "Behavior hints",
    why: "Such as read-only or destructive. A server can claim anything.",
  },
  { matters: "shape", title: "Schema", why: "The arguments calls can or must include from now on." },
  {
    matters: "words",
    title: "Description",
    why: "Agents read this text, so a change can influence them.",
  },
] as const satisfies ReadonlyArray<Omit<DefinitionGroup, "changes">>

export function definitionGroups(differences: PinView["differences"]): readonly DefinitionGroup[] {
  return groups
    .map((group) => ({
      ...group,
      changes: differences.filter(({ matters }) => matters === group.matters).map(changeOf),
    }))
    .filter(({ changes }) => changes.length > 0)
}

function changeOf({ path, kind, before, after }: Difference): DefinitionChange {
  return { path, place: placeWords(path), kind, before: valueText(before), after: valueText(after) }
}

/** Text as it is, everything else as JSON. */
function valueText(value: JsonValue | undefined): string | null {
  if (value === undefined) return null
  return typeof value === "string" ? textAmongValues(value) : JSON.stringify(value, null, 2)
}

/** A JSON pointer in words: `/inputSchema/properties/path/description` is `argument path › description`. */
export function placeWords(path: string): string {
  const parts = path.split("/").slice(1).map(unescaped)
  return stepWords(parts).join(" › ") || "the whole definition"
}

function unescaped(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~")
}

function stepWords([first, second, third, ...rest]: readonly string[]): readonly string[] {
  if (first === undefined) return []
  const schema = first === "inputSchema" ? "argument" : first === "outputSchema" ? "result field" : null
  if (schema !== null && second === "properties" && third !== undefined) return [`${schema} ${third}`, ...rest]
  if (schema !== null && second === "required") return [`required ${schema}s`]
  const here = first === "annotations" ? "hint" : first
  return [here, ...[second, third].filter((part) => part !== undefined), ...rest]
}

/** The groups a definition differs in, on one line. */
export function differenceSummary(pin: PinView): string {
  if (pin.proposed === null) return "No changes"
  if (pin.accepted === null) return "Added after this server was accepted"
  const names = definitionGroups(pin.differences).map(({ title }) => title)
  return names.length === 0 ? "Changed" : `${sentenceCase(inOneLine(names))} changed`
}

/** Such as `schema and description`. */
function inOneLine(names: readonly string[]): string {
  const last = names.at(-1) ?? ""
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`
}

function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase()
}

type Argument = {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly description: string | null
}

/** The arguments a tool takes, by its schema; empty when the schema says nothing readable. */
export function argumentsOf(schema: JsonObject | null): readonly Argument[] {
  const properties = schema?.properties
  if (!isObject(properties)) return []
  const required = Array.isArray(schema?.required) ? schema.required : []
  return Object.entries(properties).map(([name, property]) => {
    const said: JsonObject = isObject(property) ? property : {}
    return {
      name,
      type: typeof said.type === "string" ? said.type : "any",
      required: required.includes(name),
      description: typeof said.description === "string" ? said.description : null,
    }
  })
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isRawNumber(value)
}
