import { Pencil } from "lucide-react"
import { type ReactNode, useEffect, useId, useRef } from "react"
import { Button } from "../parts/button.tsx"
import { Mark } from "../parts/mark.tsx"
import type { TextInPlace } from "../verdict/edit/text-in-place.ts"
import look from "./edit-in-place.module.css"

/** Beside the file's name, and in sight as long as that is. */
export function InPlaceButtons({ inPlace }: { readonly inPlace: TextInPlace }): ReactNode {
  const { isOpen, isOff } = inPlace
  const place = useRef<HTMLSpanElement>(null)
  const was = useRef(isOpen)
  // The box goes with the focus in it.
  useEffect(() => {
    if (was.current && !isOpen) place.current?.querySelector("button")?.focus({ preventScroll: true })
    was.current = isOpen
  }, [isOpen])
  return (
    <span ref={place} className={look.buttons}>
      {inPlace.isEdited && <Mark tone="know">with your edit</Mark>}
      {isOpen ? (
        <>
          <Button size="small" tone="quiet" data-answer="other" disabled={isOff} onClick={inPlace.discard}>
            Discard edit
          </Button>
          <Button
            size="small"
            data-answer="other"
            disabled={isOff || inPlace.problem !== null}
            onClick={inPlace.showChange}
          >
            Done
          </Button>
        </>
      ) : (
        <Button
          size="small"
          tone="quiet"
          icon={<Pencil />}
          // After Done the focus is here: the keys that answer then mean the text as it was edited and shown.
          {...(inPlace.isEdited ? {} : { "data-answer": "other" })}
          disabled={isOff}
          onClick={inPlace.start}
          aria-label="Edit the new text"
        >
          Edit
        </Button>
      )}
    </span>
  )
}

/** The new text in a box that grows with it, where its difference stood. */
export function InPlaceBox({ inPlace }: { readonly inPlace: TextInPlace }): ReactNode {
  const { text, problem } = inPlace
  const words = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    box.current?.setSelectionRange(0, 0)
    box.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className={look.editing} data-own-fields="">
      <textarea
        ref={box}
        className={look.box}
        aria-label="New text of the file"
        aria-invalid={problem !== null}
        aria-describedby={words}
        spellCheck={false}
        // For browsers that cannot size a box by its content.
        rows={Math.min(40, text.split("\n").length + 1)}
        disabled={inPlace.isOff}
        value={text}
        onChange={(event) => inPlace.change(event.target.value)}
      />
      <p
        id={words}
        className={look.words}
        role={problem === null ? undefined : "alert"}
        data-problem={problem !== null}
      >
        {problem ??
          "The call runs with this text, and the agent is told that you edited it. Done shows what it changes."}
      </p>
    </div>
  )
}
