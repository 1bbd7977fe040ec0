/** What the arguments beside a file's name and its texts may say: where the file is, and how the texts get into it. Told by their names and values. */
import { asObject, isNamedAsProse, type JsonValue, pointerTo } from "@byleave/core"

/** An argument with its place among the others. */
export type PlacedArgument = { readonly name: string; readonly value: JsonValue; readonly pointer: string }

/** Whether an argument may say where a file is, or that its texts are not written as they stand. `known`: the pointers of values that say neither. */
export function maySayWhere({ name, value, pointer }: PlacedArgument, known: ReadonlySet<string>): boolean {
  if (known.has(pointer)) return false
  const how = howSaid(name, value)
  if (how !== "nothing") return how !== "as it stands"
  if (value === null || typeof value === "boolean" || value === "" || isNamedAsProse(name)) return false
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).some((each, at) =>
      maySayWhere({ name, value: each, pointer: pointerTo(pointer, `${at}`) }, known),
    )
  }
  const inner = asObject(value)
  if (inner === undefined) return true
  return Object.entries(inner).some(([each, of]) =>
    maySayWhere({ name: each, value: of, pointer: pointerTo(pointer, each) }, known),
  )
}

/** The way an argument says that texts are written. `otherwise`: perhaps not as they stand. */
export type HowSaid = "nothing" | "as it stands" | "added" | "otherwise"

export function howSaid(name: string, value: JsonValue): HowSaid {
  const words = snakeCase(name)
  if (value === true) return addingWords.test(words) ? "added" : "nothing"
  if (!howWords.test(words)) return "nothing"
  const isChoice = choosingWords.test(words)
  if (typeof value === "object" && value !== null) return isChoice ? "otherwise" : "nothing"
  if (!isChoice || typeof value !== "string" || plainChoices.test(value)) return "as it stands"
  return addingChoices.test(value) ? "added" : "otherwise"
}

/** Words in the names of arguments that say how a file is written, and never where. */
const howWords = /(?:^|_)(?:encoding|charset|mode|permissions|newline|eol|indent|language|sha|explanation)(?:_|$)/
/** Of these it depends on the value: `append`, `base64`. */
const choosingWords = /(?:^|_)(?:encoding|charset|mode)(?:_|$)/
const plainChoices =
  /^(?:|utf-?8|(?:us-)?ascii|text|plain|w[bt]?\+?|x[bt]?\+?|write|rewrite|overwrite|create|(?:0o?)?[0-7]{3,6})$/i
const addingWords = /^(?:is_|do_)?(?:append|prepend)(?:_|$)/
const addingChoices = /^(?:a[bt]?\+?|append|prepend)$/i

/** The words of a name, however it joins them. */
export function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+/g, "_").toLowerCase()
}
