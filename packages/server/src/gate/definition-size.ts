import type { JsonObject } from "@byleave/core"

/** `bytes`: the memory that it takes up, roughly. `values`: objects, arrays, texts, numbers and words, keys not counted. */
export type DefinitionSize = { readonly bytes: number; readonly values: number }

/** A value takes up this much beside its characters. */
const bytesPerValue = 50

const known = new WeakMap<object, DefinitionSize>()

/** How much there is to a definition that was read from JSON. It is looked through once: thousands of the same ones are asked about at each telling. */
export function definitionSize(definition: JsonObject): DefinitionSize {
  const found = known.get(definition)
  if (found !== undefined) return found
  const size = sizeOf(definition)
  known.set(definition, size)
  return size
}

function sizeOf(definition: JsonObject): DefinitionSize {
  let characters = 0
  let values = 0
  const count = (value: unknown): void => {
    values += 1
    if (typeof value === "string") characters += value.length
    else if (Array.isArray(value)) for (const inner of value) count(inner)
    else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        characters += key.length
        count(inner)
      }
    }
  }
  count(definition)
  return { bytes: characters + bytesPerValue * values, values }
}
