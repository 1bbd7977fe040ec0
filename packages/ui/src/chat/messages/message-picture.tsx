import { showText } from "@byleave/core"
import { ImageOff } from "lucide-react"
import { type ReactNode, useEffect, useState } from "react"
import { PictureView } from "../composer/picture-view.tsx"
import type { PictureBytes } from "../composer/pictures.ts"
import type { MessagePicture } from "./chat-messages.ts"
import look from "./chat-thread.module.css"

/** Reads the bytes of a picture of a message; null: it is gone. */
export type LoadPicture = (picture: MessagePicture) => Promise<PictureBytes | null>

type MessagePictureViewProps = { readonly picture: MessagePicture; readonly loadPicture: LoadPicture | undefined }

/** A picture of the user's message, read when the message is drawn. */
export function MessagePictureView({ picture, loadPicture }: MessagePictureViewProps): ReactNode {
  const [read, setRead] = useState<PictureBytes | "loading" | null>("loading")
  useEffect(() => {
    let isOver = false
    const become = (next: PictureBytes | null): void => {
      if (!isOver) setRead(next)
    }
    if (loadPicture === undefined) become(null)
    else loadPicture(picture).then(become, () => become(null))
    return () => {
      isOver = true
    }
  }, [picture, loadPicture])
  const name = showText(picture.name) || "Picture"
  if (read === "loading") return <span className={look.pictureRoom} role="img" aria-label={`${name}, loading`} />
  if (read === null) {
    return (
      <p className={look.pictureGone}>
        <ImageOff aria-hidden="true" /> {name} could not be loaded.
      </p>
    )
  }
  return <PictureView className={look.picture} picture={read} alt={name} />
}
