/** What an argument beside a file's texts says of how they get into it. Told by its name and value. */
import type { JsonValue } from "@byleave/core"

/** The way an argument says that texts are written. `otherwise`: perhaps not as they stand. */
type HowSaid = "nothing" | "as it stands" | "added" | "otherwise"

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

/** Whether a yes under this name says what becomes of the file that is named, and never what its texts mean or where they go. */
export function isPlainYes(name: string): boolean {
  return plainYes.test(snakeCase(name))
}

const plainYes =
  /^(?:all|mkdirs?|dry_run|(?:(?:is|do|should|allow|auto)_)?(?:create|make|mk|overwrite|replace|force|recursive|parents|confirm|validate|atomic)(?:_?(?:new|all|dirs?|directory|directories|folders?|parents?|existing|file|if|missing|not|exists?))*)$/

/** The words of a name, however it joins them. */
export function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+/g, "_").toLowerCase()
}
