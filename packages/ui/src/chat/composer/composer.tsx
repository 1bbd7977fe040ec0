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
import { PictureView } from "./picture-view.tsx"
import { type AttachedPicture, isPicture, mostPictures, readPicture } from "./pictures.ts"

/** What somebody is about to send. */
export type Draft = {
  readonly text: string
  readonly files: readonly AttachedFile[]
  readonly pictures: readonly AttachedPicture[]
}

export const emptyDraft: Draft = { text: "", files: [], pictures: [] }

export type ComposerProps = {
  readonly draft: Draft
  readonly onDraft: (draft: Draft) => void
  /** `replying`: it can be stopped, and nothing is sent. `waiting`: it can be stopped, or a message denies the calls that wait, and asks first. */
  readonly state: "ready" | "replying" | "waiting" | "off"
  /** Whether the model that is chosen takes pictures. */
  readonly takesPictures: boolean
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
  const isEmpty = draft.text.trim() === "" && draft.files.length === 0 && draft.pictures.length === 0
  const isUntaken = draft.pictures.length > 0 && !props.takesPictures
  const canStop = state === "replying" || (state === "waiting" && isEmpty)
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
    const { texts, pictures, problems } = await readAll(
      files,
      mostPictures - draft.pictures.length,
      props.takesPictures,
    )
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
          <AttachButton takesPictures={props.takesPictures} onFiles={(files) => void attach(files)} />
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
              disabled={isEmpty || isUntaken || state === "off"}
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

type AttachedProps = Pick<ComposerProps, "draft" | "onDraft">

function Attached({ draft, onDraft }: AttachedProps): ReactNode {
  const { files, pictures } = draft
  return (
    <ul className={look.files} aria-label="Attached files">
      {pictures.map((picture, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two pictures may have one name
        <li key={at}>
          <PictureView className={look.thumb} picture={picture} alt="" />
          <ShownName text={picture.name} />
          <RemoveButton name={picture.name} onRemove={() => onDraft({ ...draft, pictures: without(pictures, at) })} />
        </li>
      ))}
      {files.map((file, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name
        <li key={at}>
          <FileText aria-hidden="true" />
          <ShownName text={file.name} />
          <span className="aside">{countOf(file.text.length, "character")}</span>
          <RemoveButton name={file.name} onRemove={() => onDraft({ ...draft, files: without(files, at) })} />
        </li>
      ))}
    </ul>
  )
}

function without<T>(all: readonly T[], at: number): readonly T[] {
  return all.filter((_, place) => place !== at)
}

function RemoveButton({ name, onRemove }: { readonly name: string; readonly onRemove: () => void }): ReactNode {
  return (
    <button type="button" aria-label={`Remove ${name}`} onClick={onRemove}>
      <X aria-hidden="true" />
    </button>
  )
}

type AttachButtonProps = { readonly takesPictures: boolean; readonly onFiles: (files: readonly File[]) => void }

function AttachButton({ takesPictures, onFiles }: AttachButtonProps): ReactNode {
  const what = takesPictures ? "Attach text files or pictures" : "Attach text files"
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
        aria-label={what}
        title={what}
        onClick={() => input.current?.click()}
      >
        <Paperclip aria-hidden="true" />
      </button>
      <input ref={input} type="file" multiple hidden aria-label="Files to attach" onChange={choose} />
    </>
  )
}

/** Text and pictures of what somebody chose, and why something of it was not attached. */
async function readAll(files: readonly File[], room: number, takesPictures: boolean) {
  const chosen = files.filter(isPicture)
  const untaken = takesPictures ? [] : chosen
  const texts = await Promise.all(files.filter((file) => !isPicture(file)).map(readText))
  const pictures = await Promise.all((takesPictures ? chosen.slice(0, Math.max(0, room)) : []).map(readPicture))
  return {
    texts: texts.flatMap((file) => (file.ok ? [file.file] : [])),
    pictures: pictures.flatMap((read) => (read.ok ? [read.picture] : [])),
    problems: [
      ...untaken.map(({ name }) => `${name} is a picture, and the model that is chosen takes none.`),
      ...(takesPictures && chosen.length > room ? [`A message takes ${mostPictures} pictures at the most.`] : []),
      ...[...texts, ...pictures].flatMap((read) => (read.ok ? [] : [read.why])),
    ],
  }
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
