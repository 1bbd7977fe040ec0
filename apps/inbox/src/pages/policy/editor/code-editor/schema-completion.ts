import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  type CompletionSource,
  insertCompletionText,
  pickedCompletion,
  startCompletion,
} from "@codemirror/autocomplete"
import type { EditorView } from "@codemirror/view"
import { type Suggestions, suggestionsAt } from "./help-at.ts"
import { drawnWords } from "./help-words.ts"
import type { SchemaKey, SchemaPart, SchemaValue } from "./schema-help.ts"

/** Suggests the keys and values that the schema has for the place of the caret. */
export function schemaCompletion(schema: () => SchemaPart | null): CompletionSource {
  return (context) => {
    const known = schema()
    const found = known && suggestionsAt(known, context.state.doc.toString(), context.pos)
    return found === null ? null : resultOf(found, context)
  }
}

function resultOf(found: Suggestions, { explicit }: CompletionContext): CompletionResult | null {
  // A word that is whole needs no suggestion: Enter begins the next line, as anywhere else.
  const isWhole = found.values.some(({ text }) => text === found.typed)
  if (!explicit && (found.typed === "" || isWhole)) return null
  const options = [
    ...found.keys.map((key) => keyOption(key, found)),
    ...found.values.map((value) => valueOption(value, found.description)),
  ]
  if (options.length === 0) return null
  // In the schema's order, which has what matters first; the alphabet has not.
  return { from: found.from, to: found.to, options: options.map((each, at) => ({ ...each, sortText: inOrder(at) })) }
}

function inOrder(at: number): string {
  return String(at).padStart(4, "0")
}

function keyOption(key: SchemaKey, place: Suggestions): Completion {
  return {
    label: key.name,
    ...infoOf(key.description),
    apply: (view, completion, from, to) => {
      const { text, goesOn } = written(key, place)
      put(view, completion, text, from, to)
      if (goesOn) startCompletion(view)
    },
  }
}

/** Maps and lists of a block go on in the next line, deeper; their next suggestions are asked for at once. */
function written(key: SchemaKey, { hasColon, isFlow, column }: Suggestions) {
  if (hasColon) return { text: key.name, goesOn: false }
  if (isFlow || key.form === "scalar") return { text: `${key.name}: `, goesOn: true }
  return { text: `${key.name}:\n${" ".repeat(column + 2)}${key.form === "list" ? "- " : ""}`, goesOn: true }
}

function valueOption({ text, isExample }: SchemaValue, description: string): Completion {
  return {
    label: text,
    ...(isExample ? { detail: "example" } : {}),
    ...infoOf(description),
    apply: (view, completion, from, to) => put(view, completion, asScalar(text), from, to),
  }
}

function put(view: EditorView, completion: Completion, text: string, from: number, to: number): void {
  view.dispatch({ ...insertCompletionText(view.state, text, from, to), annotations: pickedCompletion.of(completion) })
}

function infoOf(description: string): Pick<Completion, "info"> {
  return description === "" ? {} : { info: () => drawnWords(description) }
}

/** Quotes a text that YAML would take for something else, such as `*(delete_*)`. */
function asScalar(text: string): string {
  return /^[\w./~(]/.test(text) ? text : JSON.stringify(text)
}
