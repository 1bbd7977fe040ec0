import { FileText, Paperclip, X } from "lucide-react"
import { type ChangeEvent, type ReactNode, useRef } from "react"
import { countOf } from "../../card/arguments/cut-text.ts"
import { ShownName } from "../../parts/shown-text.tsx"
import look from "./composer.module.css"
import type { Draft } from "./draft.ts"
import { PictureView } from "./picture-view.tsx"

type AttachedProps = { readonly draft: Draft; readonly onDraft: (draft: Draft) => void }

/** Files and pictures that go with the message, each to be removed. */
export function Attached({ draft, onDraft }: AttachedProps): ReactNode {
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

export function AttachButton({ takesPictures, onFiles }: AttachButtonProps): ReactNode {
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
