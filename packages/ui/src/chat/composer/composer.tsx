import { ArrowUp, Square } from "lucide-react"
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from "react"
import { Button } from "../../parts/button.tsx"
import { readAttached } from "./attach-files.ts"
import { AttachButton, Attached } from "./attached.tsx"
import look from "./composer.module.css"
import { type Draft, isEmptyDraft } from "./draft.ts"
import { mostPictures } from "./pictures.ts"

export type ComposerProps = {
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  /** `replying`: it can be stopped, and nothing is sent. `waiting`: it can be stopped, or a message denies the calls that wait, and asks first. */
  readonly state: "ready" | "replying" | "waiting" | "off"
  /** Whether the model that is chosen takes pictures; absent: it does not. */
  readonly takesPictures?: boolean
  /** Of the thread's calls. */
  readonly waiting: number
  readonly isSending: boolean
  readonly isStopping: boolean
  /** Whoever sends the draft empties it, and puts it back where the service refuses it. */
  readonly onSend: () => void
  readonly onDenyAndSend: () => void
  readonly onStop: () => void
  readonly field: RefObject<HTMLTextAreaElement | null>
  /** Beside the buttons, such as the model and the servers. */
  readonly children?: ReactNode
}

export function Composer(props: ComposerProps): ReactNode {
  const { draft, onDraft, state, field, takesPictures = false } = props
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const hint = useId()
  const isEmpty = isEmptyDraft(draft)
  const isUntaken = draft.pictures.length > 0 && !takesPictures
  const canStop = !props.isSending && (state === "replying" || (state === "waiting" && isEmpty))
  useGrow(field, draft.text)
  useEffect(() => {
    if (state !== "waiting" || isEmpty) setAsking(false)
  }, [state, isEmpty])
  const send = (): void => {
    if (isEmpty || isUntaken || props.isSending || state === "replying" || state === "off") return
    if (state === "waiting") setAsking(true)
    else props.onSend()
  }
  const attach = async (files: readonly File[]): Promise<void> => {
    const { texts, pictures, problems } = await readAttached(files, mostPictures - draft.pictures.length, takesPictures)
    setProblem(problems.join(" ") || null)
    if (texts.length + pictures.length > 0) {
      onDraft({ ...draft, files: [...draft.files, ...texts], pictures: [...draft.pictures, ...pictures] })
    }
    field.current?.focus()
  }
  return (
    <div className={look.place}>
      {isAsking && (
        <DenyAndSend
          waiting={props.waiting}
          isSending={props.isSending}
          onDenyAndSend={props.onDenyAndSend}
          onKeep={() => {
            setAsking(false)
            field.current?.focus()
          }}
        />
      )}
      <form
        className={look.composer}
        aria-label="Message"
        data-keeps-focus=""
        onSubmit={(event) => {
          event.preventDefault()
          send()
        }}
        onDragOver={(event) => event.preventDefault()}
        onPaste={(event) => {
          const pasted = [...event.clipboardData.files]
          if (pasted.length > 0) event.preventDefault()
          if (pasted.length > 0) void attach(pasted)
        }}
        onDrop={(event) => {
          event.preventDefault()
          void attach([...event.dataTransfer.files])
        }}
      >
        {draft.files.length + draft.pictures.length > 0 && <Attached draft={draft} onDraft={onDraft} />}
        <div className={look.line}>
          <AttachButton takesPictures={takesPictures} onFiles={(files) => void attach(files)} />
          <label className={look.field}>
            <span className="only-read-aloud">Message</span>
            <textarea
              ref={field}
              rows={1}
              maxLength={200_000}
              placeholder={state === "off" ? "Offline: your message is kept here" : "Ask for something"}
              value={draft.text}
              aria-describedby={hint}
              onChange={(event) => onDraft({ ...draft, text: event.currentTarget.value })}
              onKeyDown={(event) => {
                if (!isSendKey(event)) return
                event.preventDefault()
                send()
              }}
            />
          </label>
          {canStop ? (
            <Button
              icon={<Square />}
              aria-label={props.isStopping ? stopping : "Stop"}
              busy={props.isStopping && stopping}
              onClick={props.onStop}
            >
              <span className={look.label}>Stop</span>
            </Button>
          ) : (
            <Button
              tone="yes"
              icon={<ArrowUp />}
              aria-label={props.isSending ? sending : "Send"}
              disabled={isEmpty || isUntaken || state === "off"}
              busy={props.isSending && sending}
              onClick={send}
            >
              <span className={look.label}>Send</span>
            </Button>
          )}
        </div>
      </form>
      <div className={look.under}>
        {props.children}
        <p id={hint} className={look.hint}>
          {hintOf[state]}
        </p>
      </div>
      {isUntaken && (
        <p className={look.problem} role="alert">
          The model that is chosen takes no pictures. Choose another one, or remove them.
        </p>
      )}
      {problem !== null && (
        <p className={look.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

const sending = "Sending…"
const stopping = "Stopping…"

const hintOf = {
  ready: "Enter sends, Shift + Enter starts a new line.",
  replying: "You can write the next message while the reply is on its way.",
  waiting: "The reply goes on once you have decided.",
  off: "Byleave is unreachable. This page reconnects by itself.",
} as const satisfies Record<ComposerProps["state"], string>

/** On a phone Enter starts a new line: there is no other key for it. */
function isSendKey(event: KeyboardEvent): boolean {
  if (event.key !== "Enter" || event.shiftKey || event.altKey || event.nativeEvent.isComposing) return false
  return event.ctrlKey || event.metaKey || !matchMedia("(pointer: coarse)").matches
}

function useGrow(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what makes it grow
  useEffect(() => {
    const area = field.current
    if (area === null) return
    area.style.height = "auto"
    area.style.height = `${area.scrollHeight}px`
  }, [text, field])
}

type DenyAndSendProps = Pick<ComposerProps, "waiting" | "isSending" | "onDenyAndSend"> & { readonly onKeep: () => void }

function DenyAndSend({ waiting, isSending, onDenyAndSend, onKeep }: DenyAndSendProps): ReactNode {
  const calls = waiting === 1 ? "the call that waits" : `the ${waiting} calls that wait`
  const first = useRef<HTMLDivElement>(null)
  useEffect(() => first.current?.querySelector("button")?.focus(), [])
  return (
    <div ref={first} className={look.ask} role="alertdialog" aria-label="Deny and send?">
      <p>
        Sending now denies {calls}. {waiting === 1 ? "It does not run." : "They do not run."}
      </p>
      <div>
        <Button size="small" onClick={onKeep}>
          Keep waiting
        </Button>
        <Button size="small" tone="no" busy={isSending && sending} onClick={onDenyAndSend}>
          Deny and send
        </Button>
      </div>
    </div>
  )
}
