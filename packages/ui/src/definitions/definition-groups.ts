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
  readonly place: readonly PlaceStep[]
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
  return { path, place: placeSteps(path), kind, before: valueText(before), after: valueText(after) }
}

/** Text as it is, everything else as JSON. */
function valueText(value: JsonValue | undefined): string | null {
  if (value === undefined) return null
  return typeof value === "string" ? textAmongValues(value) : JSON.stringify(value, null, 2)
}

/** A step on the way to a place: a word of ours, a name that the server chose, or the one before the other. */
export type PlaceStep = { readonly ours?: string; readonly name?: string }

/** A JSON pointer as steps: `/inputSchema/properties/path/description` is the argument `path`, and in it `description`. */
export function placeSteps(path: string): readonly PlaceStep[] {
  const [first, second, third, ...rest] = path.split("/").slice(1).map(unescaped)
  if (first === undefined) return [{ ours: "the whole definition" }]
  const schema = first === "inputSchema" ? "argument" : first === "outputSchema" ? "result field" : null
  if (schema !== null && second === "properties" && third !== undefined) {
    return [{ ours: schema, name: third }, ...rest.map(named)]
  }
  if (schema !== null && second === "required") return [{ ours: `required ${schema}s` }]
  const here = first === "annotations" ? { ours: "hint" } : named(first)
  return [here, ...[second, third, ...rest].filter((part) => part !== undefined).map(named)]
}

function named(name: string): PlaceStep {
  return { name }
}

function unescaped(part: string): string {
  return part.replaceAll("~1", "/").replaceAll("~0", "~")
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
