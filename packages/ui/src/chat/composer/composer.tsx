import { ArrowUp, FileText, Paperclip, Square, X } from "lucide-react"
import {
  type ChangeEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react"
import { countOf } from "../../card/arguments/cut-text.ts"
import { Button } from "../../parts/button.tsx"
import { ShownName } from "../../parts/shown-text.tsx"
import { type AttachedFile, largestFile } from "./attachments.ts"
import look from "./composer.module.css"

/** What somebody is about to send. */
export type Draft = { readonly text: string; readonly files: readonly AttachedFile[] }

export const emptyDraft: Draft = { text: "", files: [] }

export type ComposerProps = {
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  /** `replying`: it can be stopped, and nothing is sent. `waiting`: it can be stopped, or a message denies the calls that wait, and asks first. */
  readonly state: "ready" | "replying" | "waiting" | "off"
  /** Of the thread's calls. */
  readonly waiting: number
  readonly isSending: boolean
  readonly isStopping: boolean
  /** The draft is emptied by whoever has sent it. */
  readonly onSend: () => void
  readonly onDenyAndSend: () => void
  readonly onStop: () => void
  readonly field: RefObject<HTMLTextAreaElement | null>
  /** Beside the buttons, such as the model and the servers. */
  readonly children?: ReactNode
}

export function Composer(props: ComposerProps): ReactNode {
  const { draft, onDraft, state, field } = props
  const [isAsking, setAsking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const hint = useId()
  const isEmpty = draft.text.trim() === "" && draft.files.length === 0
  const canStop = state === "replying" || (state === "waiting" && isEmpty)
  useGrow(field, draft.text)
  useEffect(() => {
    if (state !== "waiting" || isEmpty) setAsking(false)
  }, [state, isEmpty])
  const send = (): void => {
    if (isEmpty || props.isSending || state === "replying" || state === "off") return
    if (state === "waiting") setAsking(true)
    else props.onSend()
  }
  const attach = async (files: readonly File[]): Promise<void> => {
    const read = await Promise.all(files.map(readText))
    setProblem(read.flatMap((file) => (file.ok ? [] : [file.why])).join(" ") || null)
    const added = read.flatMap((file) => (file.ok ? [file.file] : []))
    if (added.length > 0) onDraft({ ...draft, files: [...draft.files, ...added] })
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
        onDrop={(event) => {
          event.preventDefault()
          void attach([...event.dataTransfer.files])
        }}
      >
        {draft.files.length > 0 && (
          <Files
            files={draft.files}
            onRemove={(at) => onDraft({ ...draft, files: draft.files.filter((_, place) => place !== at) })}
          />
        )}
        <div className={look.line}>
          <AttachButton onFiles={(files) => void attach(files)} />
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
            <Button icon={<Square />} aria-label="Stop" busy={props.isStopping && "Stopping…"} onClick={props.onStop}>
              <span className={look.label}>Stop</span>
            </Button>
          ) : (
            <Button
              tone="yes"
              icon={<ArrowUp />}
              aria-label="Send"
              disabled={isEmpty || state === "off"}
              busy={props.isSending && "Sending…"}
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
      {problem !== null && (
        <p className={look.problem} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

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
        <Button size="small" tone="no" busy={isSending && "Sending…"} onClick={onDenyAndSend}>
          Deny and send
        </Button>
      </div>
    </div>
  )
}

type FilesProps = { readonly files: readonly AttachedFile[]; readonly onRemove: (at: number) => void }

function Files({ files, onRemove }: FilesProps): ReactNode {
  return (
    <ul className={look.files} aria-label="Attached files">
      {files.map((file, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name
        <li key={at}>
          <FileText aria-hidden="true" />
          <ShownName text={file.name} />
          <span className="aside">{countOf(file.text.length, "character")}</span>
          <button type="button" aria-label={`Remove ${file.name}`} onClick={() => onRemove(at)}>
            <X aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  )
}

function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }): ReactNode {
  const input = useRef<HTMLInputElement>(null)
  const choose = (event: ChangeEvent<HTMLInputElement>): void => {
    onFiles([...(event.currentTarget.files ?? [])])
    event.currentTarget.value = ""
  }
  return (
    <>
      <button
        type="button"
        className={look.attach}
        aria-label="Attach text files"
        title="Attach text files"
        onClick={() => input.current?.click()}
      >
        <Paperclip aria-hidden="true" />
      </button>
      <input ref={input} type="file" multiple hidden aria-label="Text files to attach" onChange={choose} />
    </>
  )
}

type ReadFile = { readonly ok: true; readonly file: AttachedFile } | { readonly ok: false; readonly why: string }

async function readText(file: File): Promise<ReadFile> {
  if (file.size > largestFile) return { ok: false, why: `${file.name} is larger than 200 kB and was not attached.` }
  const bytes = await file.arrayBuffer()
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    if (text.includes("\0")) return { ok: false, why: notText(file.name) }
    return { ok: true, file: { name: file.name, text } }
  } catch {
    return { ok: false, why: notText(file.name) }
  }
}

function notText(name: string): string {
  return `${name} is not a text file and was not attached.`
}
