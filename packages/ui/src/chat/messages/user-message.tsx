import { FileText, PencilLine } from "lucide-react"
import { memo, type ReactNode } from "react"
import { countOf } from "../../card/arguments/cut-text.ts"
import { Button } from "../../parts/button.tsx"
import { ShownName } from "../../parts/shown-text.tsx"
import { StoryText } from "../../run/story-text.tsx"
import type { UserMessage } from "./chat-messages.ts"
import look from "./chat-thread.module.css"
import { MessageClock } from "./message-clock.tsx"
import { type LoadPicture, MessagePictureView } from "./message-picture.tsx"

type UserMessageViewProps = {
  readonly message: UserMessage
  /** Puts it back into the composer; undefined where that is not offered. One that is told in part is not put back in part. */
  readonly onReuse: ((message: UserMessage) => void) | undefined
  readonly loadPicture: LoadPicture | undefined
}

/** A message of the user, with the files that came with it. */
export const UserMessageView = memo(function UserMessageView({
  message,
  onReuse,
  loadPicture,
}: UserMessageViewProps): ReactNode {
  return (
    <li className={look.user}>
      <figure className={look.note}>
        <figcaption className="only-read-aloud">You</figcaption>
        {message.pictures.map((picture) => (
          <MessagePictureView key={picture.nth} picture={picture} loadPicture={loadPicture} />
        ))}
        <blockquote>
          <StoryText text={message.text} isCut={message.isCut && message.files.length === 0} />
        </blockquote>
        {message.files.map((file, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name
          <details key={at} className={look.file}>
            <summary>
              <FileText aria-hidden="true" />
              <ShownName text={file.name} />
              <span className="aside">{countOf(file.text.length, "character")}</span>
            </summary>
            <div className={look.fileText}>
              <StoryText text={file.text} isCut={message.isCut && at === message.files.length - 1} />
            </div>
          </details>
        ))}
      </figure>
      <p className={look.under}>
        {onReuse !== undefined && !message.isCut && (
          <Button size="small" tone="quiet" icon={<PencilLine />} onClick={() => onReuse(message)}>
            Edit and send again
          </Button>
        )}
        <MessageClock at={message.at} />
      </p>
    </li>
  )
})
