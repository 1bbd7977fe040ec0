import type { PolicyPreviewView, RuleLanguageView } from "@byleave/api"
import { Button, Choice, Dialog, LongField, Notice } from "@byleave/ui"
import { FileUp } from "lucide-react"
import { type DragEvent, type ReactNode, useRef, useState } from "react"
import { useRead } from "../../../data/use-read.ts"
import { useToast } from "../../../shell/toast.tsx"
import { ProblemList } from "../problem-list.tsx"
import look from "./carry-rules.module.css"
import { ImportReport } from "./import-report.tsx"
import { importWords } from "./loss-words.ts"
import { type Prefer, useImportRules } from "./use-import-rules.ts"

/** Rules of another program: chosen, checked, and then added to the configuration. */
export function ImportRulesDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [format, setFormat] = useState("")
  const [source, setSource] = useState("")
  const [prefer, setPrefer] = useState<Prefer>("stricter")
  const { checked, check, apply, forget, isBusy, problem } = useImportRules()
  const say = useToast()
  const languages = useRead("listRuleLanguages")
  const asked = { source, prefer, ...(format === "" ? {} : { format }) }
  const save = async (): Promise<void> => {
    if (!(await apply())) return
    say({ title: "Rules imported", words: waitsWords(checked?.preview ?? null) })
    onClose()
  }
  const isReady = checked?.rules.ok === true
  return (
    <Dialog
      open={true}
      onClose={onClose}
      title="Import rules"
      lead={
        isReady
          ? importWords(checked.rules.added.length, checked.preview?.widens.length ?? 0)
          : "Bring rules from another program. You see what changes before anything is saved."
      }
      actions={
        isReady ? (
          <>
            <Button onClick={forget}>Back</Button>
            <Button tone="yes" disabled={!checked.isChange} busy={isBusy && "Importing…"} onClick={() => void save()}>
              Import rules
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button
              tone="yes"
              disabled={source.trim() === ""}
              busy={isBusy && "Checking…"}
              onClick={() => void check(asked)}
            >
              Check rules
            </Button>
          </>
        )
      }
    >
      {problem !== null && (
        <Notice tone="no" title="Not imported">
          {problem}
        </Notice>
      )}
      {isReady ? (
        <ImportReport
          checked={checked}
          prefer={prefer}
          onPrefer={(next) => {
            setPrefer(next)
            void check({ ...asked, prefer: next })
          }}
        />
      ) : (
        <>
          {checked !== null && (
            <Notice tone="wait" title="These rules cannot be imported">
              {checked.rules.why}
            </Notice>
          )}
          {checked !== null && checked.rules.problems.length > 0 && <ProblemList problems={checked.rules.problems} />}
          <SourceFields
            languages={languages.state === "ready" ? languages.value.items : []}
            format={format}
            source={source}
            onFormat={setFormat}
            onSource={setSource}
          />
        </>
      )}
    </Dialog>
  )
}

function waitsWords(preview: PolicyPreviewView | null): string {
  return (preview?.widens.length ?? 0) > 0 ? "What allows more waits for approval." : "They are in effect."
}

type SourceFieldsProps = {
  readonly languages: readonly RuleLanguageView[]
  readonly format: string
  readonly source: string
  readonly onFormat: (format: string) => void
  readonly onSource: (source: string) => void
}

const longest = 200_000

/** Which program, and its rules: pasted, chosen or dropped. */
function SourceFields({ languages, format, source, onFormat, onSource }: SourceFieldsProps): ReactNode {
  const picker = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [error, setError] = useState<string | undefined>(undefined)
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    const isTooLong = file.size > longest
    setError(isTooLong ? "This file is larger than 200 kB. Import it with `byleave import`." : undefined)
    if (!isTooLong) onSource(await file.text())
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    void take(event.dataTransfer.files[0])
  }
  return (
    <div className={look.source}>
      <Choice
        label="Program"
        options={[
          { value: "", label: "Detect from the text" },
          ...languages.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        hint={languages.find(({ id }) => id === format)?.file}
        value={format}
        onChange={(event) => onFormat(event.currentTarget.value)}
      />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the button in it */}
      <div
        className={look.drop}
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <input
          ref={picker}
          hidden
          type="file"
          aria-label="Rules file"
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
        <Button size="small" icon={<FileUp />} onClick={() => picker.current?.click()}>
          Choose a file
        </Button>
        <span>or drop it here, or paste its text below.</span>
      </div>
      <div className={look.text}>
        <LongField
          label="Rules"
          rows={8}
          maxLength={longest}
          spellCheck={false}
          error={error}
          value={source}
          onChange={(event) => onSource(event.currentTarget.value)}
        />
      </div>
    </div>
  )
}
