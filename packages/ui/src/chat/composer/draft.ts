import type { AttachedFile } from "./attachments.ts"
import type { AttachedPicture } from "./pictures.ts"

/** A message before it is sent. */
export type Draft = {
  readonly text: string
  readonly files: readonly AttachedFile[]
  readonly pictures: readonly AttachedPicture[]
}

export const emptyDraft: Draft = { text: "", files: [], pictures: [] }

export function isEmptyDraft({ text, files, pictures }: Draft): boolean {
  return text.trim() === "" && files.length === 0 && pictures.length === 0
}
