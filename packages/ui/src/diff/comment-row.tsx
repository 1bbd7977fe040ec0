import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react"
import { Button } from "../parts/button.tsx"
import { ShownText } from "../parts/shown-text.tsx"
import look from "./comment-row.module.css"

export type CommentRowProps = {
  readonly columns: number
  /** Null: it has no number. */
  readonly line: number | null
  readonly text: string
  readonly isEditing: boolean
  readonly onEdit: () => void
  readonly onClose: () => void
  /** An empty text takes it away. */
  readonly onSave: (text: string) => void
}

/** Longer comments crowd out the others: one reason holds them all. */
const longestComment = 500

/** A person's words about the line above. */
export function CommentRow({ columns, line, text, isEditing, ...actions }: CommentRowProps): ReactNode {
  const about = line === null ? "this line" : `line ${line}`
  return (
    <tr>
      <td colSpan={columns} className={look.cell}>
        {isEditing ? (
          <CommentForm about={about} text={text} {...actions} />
        ) : (
          <div className={look.said}>
            <p>
              <span className="only-read-aloud">Your comment on {about}: </span>
              <ShownText text={text} />
            </p>
            <span className={look.actions}>
              <Button size="small" tone="quiet" aria-label={`Edit the comment on ${about}`} onClick={actions.onEdit}>
                Edit
              </Button>
              <Button
                size="small"
                tone="quiet"
                aria-label={`Delete the comment on ${about}`}
                onClick={() => actions.onSave("")}
              >
                Delete
              </Button>
            </span>
          </div>
        )}
      </td>
    </tr>
  )
}

function CommentForm({
  about,
  text,
  onClose,
  onSave,
}: Pick<CommentRowProps, "text" | "onClose" | "onSave"> & { readonly about: string }): ReactNode {
  const [typed, setTyped] = useState(text)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const save = (): void => onSave(typed.trim())
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === "Escape") onClose()
    else if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey) save()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={look.form}>
      <textarea
        ref={field}
        aria-label={`Comment on ${about}`}
        placeholder="The agent reads this if you deny the change"
        rows={2}
        maxLength={longestComment}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <span className={look.actions}>
        <Button size="small" onClick={save} disabled={typed.trim() === "" && text === ""}>
          Save comment
        </Button>
        <Button size="small" tone="quiet" onClick={onClose}>
          Cancel
        </Button>
      </span>
    </div>
  )
}
