import { StoreError } from "@byleave/core"

/** Reads a document this store wrote. */
export function storedJson<Document>(text: string): Document {
  try {
    return readStoredJson(text) as Document
  } catch (cause) {
    throw new StoreError("corrupt", "The store is damaged: a document in it is not JSON.", { cause })
  }
}

function readStoredJson(text: string): unknown {
  const exact = JSON as typeof JSON & { rawJSON: (text: string) => unknown }
  const keep = (_: string, value: unknown, context: { source?: string }): unknown =>
    typeof value === "number" && String(value) !== context.source ? exact.rawJSON(context.source ?? "") : value
  return JSON.parse(text, keep as Parameters<typeof JSON.parse>[1])
}
