import { readStoredJson, StoreError } from "@byleave/core"

/** Reads a document this store wrote. */
export function readDoc<Document extends object>(text: string): Document {
  try {
    return readStoredJson(text) as unknown as Document
  } catch (cause) {
    throw new StoreError("corrupt", "A stored document does not read: the store is damaged. Restore a backup.", {
      cause,
    })
  }
}
