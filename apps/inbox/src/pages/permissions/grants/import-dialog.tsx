import type { ImportedGrants } from "@byleave/api"
import { Button, Dialog, Mark, Notice, ShownText } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useAct } from "../../../data/use-act.ts"
import { ConfirmDialog } from "../../places/confirm-dialog.tsx"
import { EffectMark } from "../tools/effect-mark.tsx"
import type { FiledLine, ReadFile } from "./grants-file.ts"
import look from "./import-dialog.module.css"

type ImportDialogProps = { readonly picked: ReadFile & { readonly name: string }; readonly onClose: () => void }
type Result = ImportedGrants["results"][number]

/** The permissions in a file, before any is saved; afterwards, the outcome of each line. */
export function ImportDialog({ picked, onClose }: ImportDialogProps): ReactNode {
  const change = useAct("importGrants")
  const [results, setResults] = useState<readonly Result[] | null>(null)
  if (!picked.ok) return <Unreadable name={picked.name} problem={picked.problem} onClose={onClose} />
  if (results !== null) return <Imported lines={picked.lines} results={results} onClose={onClose} />
  const take = async (): Promise<void> => {
    const reply = await change.act({ body: picked.file })
    if (reply.ok) setResults(reply.value.results)
  }
  const allows = picked.lines.filter(({ effect }) => effect === "allow").length
  return (
    <ConfirmDialog
      title="Import these permissions?"
      confirm={picked.lines.length === 1 ? "Import 1 permission" : `Import ${picked.lines.length} permissions`}
      busyWords="Importing…"
      tone={allows > 0 ? "yes" : "plain"}
      disabled={picked.lines.length === 0}
      act={change}
      onConfirm={() => void take()}
      onClose={onClose}
    >
      <p>
        <ShownText text={picked.name} /> {holdsWords(picked.lines.length, allows)}
      </p>
      <Lines lines={picked.lines} mark={(line) => (line.isOver ? <Mark>Expired</Mark> : null)} />
    </ConfirmDialog>
  )
}

function holdsWords(count: number, allows: number): string {
  if (count === 0) return "contains no permissions."
  const those =
    allows === 0 ? "none of them allows calls" : `${allows} of them allow calls without approval, for every agent`
  return `contains ${count} permission${count === 1 ? "" : "s"}; ${those}.`
}

type UnreadableProps = { readonly name: string; readonly problem: string; readonly onClose: () => void }

function Unreadable({ name, problem, onClose }: UnreadableProps): ReactNode {
  return (
    <Dialog
      open
      onClose={onClose}
      title="This file cannot be imported"
      actions={<Button onClick={onClose}>Close</Button>}
    >
      <Notice tone="no">
        <ShownText text={name} />: {problem}
      </Notice>
    </Dialog>
  )
}

type ImportedProps = {
  readonly lines: readonly FiledLine[]
  readonly results: readonly Result[]
  readonly onClose: () => void
}

function Imported({ lines, results, onClose }: ImportedProps): ReactNode {
  const refused = results.filter(({ ok }) => !ok).length
  return (
    <Dialog open onClose={onClose} title="Import result" actions={<Button onClick={onClose}>Close</Button>}>
      <Notice tone={refused === 0 ? "yes" : "wait"}>
        {results.length - refused} of {results.length} imported
        {refused === 0 ? "." : `; ${refused} rejected.`}
      </Notice>
      <Lines lines={lines} mark={(_, at) => <ResultMark result={results[at]} />} />
    </Dialog>
  )
}

function ResultMark({ result }: { readonly result: Result | undefined }): ReactNode {
  if (result === undefined) return <Mark tone="no">No response</Mark>
  if (result.ok) return result.known ? <Mark>Already saved</Mark> : <Mark tone="yes">Imported</Mark>
  return (
    <>
      <Mark tone="no">Rejected</Mark> <ShownText text={result.why} />
    </>
  )
}

type LinesProps = { readonly lines: readonly FiledLine[]; readonly mark: (line: FiledLine, at: number) => ReactNode }

function Lines({ lines, mark }: LinesProps): ReactNode {
  return (
    <ul className={look.lines}>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of a file has no other name than its place
        <li key={at}>
          <EffectMark effect={line.effect} of="rule" />
          <span>
            <ShownText text={line.words} />
          </span>
          <span className={look.mark}>{mark(line, at)}</span>
        </li>
      ))}
    </ul>
  )
}
