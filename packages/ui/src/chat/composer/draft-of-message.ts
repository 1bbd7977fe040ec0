import type { UserMessage } from "../messages/chat-messages.ts"
import type { LoadPicture } from "../messages/message-picture.tsx"
import type { Draft } from "./draft.ts"
import { type AttachedPicture, isPictureType } from "./pictures.ts"

/** A message that was sent, as a draft again: its words, its files, and those of its pictures that can be read. */
export async function draftOfMessage(
  { text, files, pictures }: Pick<UserMessage, "text" | "files" | "pictures">,
  loadPicture: LoadPicture | undefined,
): Promise<Draft> {
  const read = await Promise.all(
    pictures.map(async (picture): Promise<readonly AttachedPicture[]> => {
      const bytes = await loadPicture?.(picture).catch(() => null)
      if (bytes == null || !isPictureType(bytes.mediaType)) return []
      return [{ name: picture.name, mediaType: bytes.mediaType, data: bytes.data }]
    }),
  )
  return { text, files, pictures: read.flat() }
}
