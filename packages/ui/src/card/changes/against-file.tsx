/**
 * A change against the file it is made to, as far as the file is known.
 *
 * I1. Every text of the change is drawn whole, or compared line by line with the file that it goes into: whoever lists the rest of the call
 *     leaves these texts out. A comparison stands for the texts only where `tellsAll` says so; else they are drawn as sent below it.
 */
import type { CurrentContentView, FileChange } from "@byleave/api"
import { foreseen } from "@byleave/api/page"
import { looksSecret } from "@byleave/core"
import { type ReactNode, useState } from "react"
import { ShownName } from "../../parts/shown-text.tsx"
import { TheirWords } from "../../parts/their-words.tsx"
import { Masked, Sentence } from "../arguments/shown-value.tsx"
import { AsPatch, AsSent } from "../as-sent.tsx"
import { ContentDoubt } from "../content-doubt.tsx"
import { DiffView } from "./diff-view.tsx"
import look from "./file-changes.module.css"

/** When the file was looked at: just now; before, while the call waited already; or before the call was settled. */
export type AsOf = "now" | "before" | "past"

const fileAsIt = {
  now: "is now",
  before: "was when it was last read",
  past: "was while the call waited",
} as const satisfies Record<AsOf, string>

const diffLabel = {
  now: "File now and after the change",
  before: "File when last read and after the change",
  past: "File before and after the proposed change",
} as const satisfies Record<AsOf, string>

type ComparedProps = {
  readonly change: FileChange
  readonly current: CurrentContentView | null
  readonly asOf: AsOf
}

/** A file that looks secret is hidden, and the change drawn as it was sent, until somebody reveals the file. */
export function Compared({ change, current, asOf }: ComparedProps): ReactNode {
  const [isFileRevealed, setFileRevealed] = useState(false)
  if (change.flag !== undefined)
    return (
      <>
        <p className={look.warning}>
          The call says yes to <TheirWords text={change.flag} />, which may change what these texts mean or where they
          go. They are shown as sent, and not compared with the file.
        </p>
        {change.how === "patch" ? <AsPatch change={change} /> : <AsSent change={change} isNew={false} />}
      </>
    )
  if (change.how === "patch") return <AsPatch change={change} />
  if (current?.kind === "text" && !isFileRevealed && looksSecret("", current.text))
    return (
      <>
        <p className="aside">
          The file as it {fileAsIt[asOf]} appears to contain a secret, so the change is not compared with it.{" "}
          <Masked
            name="the file it is compared with"
            length={current.text.length}
            onReveal={() => setFileRevealed(true)}
          />
        </p>
        <AsSent change={change} isNew={false} />
      </>
    )
  if (current?.kind === "text")
    return (
      <>
        <ContentDoubt current={current} />
        <AgainstFile change={change} current={current} asOf={asOf} />
      </>
    )
  return (
    <>
      {asOf === "past" ? (
        <PastNote change={change} current={current} />
      ) : (
        <CurrentNote change={change} current={current} asOf={asOf} />
      )}
      <AsSent change={change} isNew={current?.kind === "absent"} />
    </>
  )
}

type AgainstFileProps = {
  readonly change: FileChange
  readonly current: Extract<CurrentContentView, { kind: "text" }>
  readonly asOf: AsOf
}

function AgainstFile({ change, current, asOf }: AgainstFileProps): ReactNode {
  const isPending = asOf !== "past"
  const after = foreseen(change, current.text)
  if (after.kind !== "told") {
    return (
      <>
        {after.kind === "not-there" && isPending && (
          <p className={look.warning}>
            {toReplace(change, after.edit)} does not occur in the file as it {fileAsIt[asOf]}. The server may reject the
            call or match something similar.
          </p>
        )}
        {after.kind === "several-places" && isPending && (
          <p className={look.warning}>
            {toReplace(change, after.edit)} fits more than one place in the file as it {fileAsIt[asOf]}, so the change
            is not shown in the file. The server decides which place is changed.
            {current.text.includes("\r") && " It may change line ends in the whole file."}
          </p>
        )}
        {after.kind === "servers-differ" && isPending && (
          <p className={look.warning}>{whereServersDiffer[after.over]}</p>
        )}
        {after.kind === "too-much" && (
          <p className={look.warning}>
            The edits are too many or too large to be shown in the file. They are shown one by one.
          </p>
        )}
        <AsSent change={change} isNew={false} />
      </>
    )
  }
  return (
    <>
      {after.mayChangeLineEnds && isPending && (
        <p className={look.warning}>
          The file or the edits have Windows line ends (CRLF). The server may write other ones, in the whole file.
        </p>
      )}
      {after.isByOrder && isPending && (
        <p className={look.warning}>
          The edits change each other's text. They are shown as made one after the other; the server decides.
        </p>
      )}
      {change.how === "edit" && after.text === current.text ? (
        <p className="aside">The edits leave the text as it is. The server may still write the file anew.</p>
      ) : (
        <DiffView before={current.text} after={after.text} label={diffLabel[asOf]} />
      )}
      <p className="aside">
        Compared with the file as it {fileAsIt[asOf]}, read with{" "}
        <span className={look.tool}>
          <ShownName text={`${current.by.server}(${current.by.tool})`} />
        </span>
        .
      </p>
      {!tellsAll(change, current.text, after) && (
        <>
          <p className="aside">As sent:</p>
          <AsSent change={change} isNew={false} />
        </>
      )}
    </>
  )
}

const whereServersDiffer = {
  "line-ends":
    "The file or the edits have Windows line ends (CRLF). Which place is changed depends on how the server reads them, so the change is not shown in the file. The server may change line ends in the whole file.",
  "dollar-signs":
    "A new text has a dollar sign before $, &, ` or ', which some servers read as something else, so the change is not shown in the file but as sent.",
} as const satisfies Record<Extract<Foreseen, { kind: "servers-differ" }>["over"], string>

function toReplace({ edits }: FileChange, edit: number): string {
  return edits.length === 1 ? "The text to replace" : `The text that edit ${edit} replaces`
}

type Foreseen = ReturnType<typeof foreseen>
type Told = Extract<Foreseen, { kind: "told" }>

/** Whether the comparison shows all that the call sends: what it leaves out is in the file, and stays there. */
function tellsAll(change: FileChange, current: string, after: Told): boolean {
  return change.isNamedWriter && !after.isByOrder && after.text !== current
}

function CurrentNote({ change, current, asOf }: ComparedProps): ReactNode {
  if (current?.kind === "absent") {
    return (
      <p className="aside">
        {asOf === "now" ? "The file does not exist." : "The file did not exist when last checked."} It would be created.
      </p>
    )
  }
  if (current?.kind === "unavailable") {
    return (
      <p className="aside">
        The current content is not shown: <Sentence text={current.why} />
      </p>
    )
  }
  return change.how === "write" ? (
    <p className="aside">This would become the whole file. Its current content is unknown.</p>
  ) : null
}

/** Of a settled call: nothing is said of a file that nobody has looked at. */
function PastNote({ change, current }: Pick<ComparedProps, "change" | "current">): ReactNode {
  if (current?.kind === "absent") {
    return <p className="aside">The file did not exist while the call was waiting. It was to be created.</p>
  }
  return change.how === "write" ? (
    <p className="aside">
      This was to become the whole file. Its earlier content was not stored, so changes cannot be shown.
    </p>
  ) : null
}
