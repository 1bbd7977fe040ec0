import { CallError } from "../call-error.ts"
import type { JsonValue } from "./json.ts"
import { numberFrom } from "./raw-number.ts"

// The third argument of a reviver is in every engine we support, but not in the ES2023 library types.
type Reviver = (key: string, value: JsonValue, context: { readonly source?: string }) => JsonValue
const parse = JSON.parse as (text: string, reviver?: Reviver) => JsonValue

/** A number of sixteen digits or more, or with an exponent: the only ones a double can fail. Strings may match; that is only slower. */
const riskyNumber = /(?:^|[[:,\s])-?(?:[\d.]{16}|[\d.]+[eE])/

/** Reads text that we wrote ourselves, as quickly as the engine can; it was judged when it came in. Throws when it is damaged. */
export function readStoredJson(text: string): JsonValue {
  try {
    return riskyNumber.test(text) ? parse(text, keepNumber) : parse(text)
  } catch (cause) {
    throw new CallError("stored-json-malformed", "Stored JSON does not read: the store is damaged.", { cause })
  }
}

function keepNumber(_key: string, value: JsonValue, context: { readonly source?: string }): JsonValue {
  return typeof value === "number" && context.source !== undefined ? numberFrom(context.source) : value
}
