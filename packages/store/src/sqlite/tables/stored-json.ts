import { readStoredJson, StoreError } from "@byleave/core"

/** Reads a document this store wrote. */
export function storedJson<Document>(text: string): Document {
  try {
    return readStoredJson(text) as Document
  } catch (cause) {
    throw new StoreError("corrupt", "The store is damaged: a document in it is not JSON.", { cause })
  }
}
