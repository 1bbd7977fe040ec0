import type { Report, TextPosition } from "../problem.ts"
import type { YamlNode } from "../text/tree.ts"
import { type Environment, expandEnvironment, lookUp } from "./environment.ts"
import { readText } from "./fields.ts"
import { resolvePath } from "./resolve-path.ts"

/** The state that every reader of one file shares. */
export type Reading = {
  readonly name: string
  readonly folder: string
  readonly home: string | undefined
  readonly env: Environment
  /** `words`: only to be shown, see `withReferences`. */
  readonly purpose: "start" | "policy" | "words"
  readonly report: Report
  /** Filled while reading. */
  readonly secrets: Set<string>
  /** The template whose text is read, as the configuration names it; absent: it is the configuration itself. */
  readonly template?: string
  /** It comes with Byleave, so its lines say nothing to people. */
  readonly isBuiltIn?: boolean
  /** The text of a template file; null: it cannot be read. */
  readonly readTemplate: (path: string) => string | null
  /** The values being read are optional: a missing variable is only a warning. */
  readonly dispensable?: Dispensable
}

export type Dispensable = {
  /** For messages: "the model `main`". */
  readonly what: string
  /** Names of variables; filled while reading. */
  readonly missing: Set<string>
}

/** Replaces environment references; a missing one is an error that names it. */
export function expandText(
  text: string,
  place: TextPosition,
  reading: Reading,
  holds: "secrets" | "words" | "path",
): string {
  const expansion = expandEnvironment(text, reading.env)
  for (const name of expansion.missing) {
    const message = `The environment variable ${name} is not set. Set it, or write \`\${${name}:-something}\` to say what holds without it.`
    // Without it a server cannot be reached; what policy says of that server does not depend on it.
    if (reading.dispensable !== undefined) reportDispensable(name, place, reading.dispensable, reading.report)
    else if (reading.purpose === "policy" && holds !== "path") reading.report.warn(place, "missing-variable", message)
    else reading.report.error(place, "missing-variable", message)
  }
  for (const written of expansion.unreadable) {
    const message = `\`${written}\` cannot be filled in here. Write \`\${NAME}\` with the name of an environment variable, or \`$\${\` for the characters themselves.`
    reading.report.error(place, "bad-value", message)
  }
  if (holds === "secrets") {
    for (const { name, value } of expansion.filled) if (!neverSecret.has(name.toUpperCase())) addSecret(value, reading)
  }
  return expansion.text
}

function reportDispensable(name: string, place: TextPosition, { what, missing }: Dispensable, report: Report): void {
  missing.add(name)
  const message = `The environment variable ${name} is not set, so ${what} cannot be used. Set it and start Byleave again.`
  report.warn(place, "missing-variable", message)
}

/** Variables every process has. Were a home folder a secret, no path below it could be read in the audit. */
const neverSecret = new Set(
  "HOME USERPROFILE PWD TMPDIR TEMP TMP USER USERNAME LOGNAME HOSTNAME SHELL LANG PATH".split(" "),
)

/** An environment by which references stay references, so that all the file says can be shown without what is secret. */
export function withReferences(env: Environment): Environment {
  return (name) => {
    const value = lookUp(env, name)
    return value === undefined || neverSecret.has(name.toUpperCase()) ? value : `\${${name}}`
  }
}

export function addSecret(value: string, reading: Reading): void {
  if (value !== "") reading.secrets.add(value)
}

/** A file or folder as an absolute path, from the place of the configuration. */
export function readPath(node: YamlNode, what: string, reading: Reading): string | undefined {
  const written = readText(node, what, reading.report)
  if (written === undefined) return undefined
  const path = resolvePath(expandText(written, node, reading, "path"), reading.folder, reading.home)
  if (path === undefined) reading.report.error(node, "bad-value", "`~` is not known here. Write the whole path.")
  return path
}
