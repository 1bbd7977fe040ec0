import type { GrantsFile } from "@byleave/api"
import { Button, Notice } from "@byleave/ui"
import { Download, Upload } from "lucide-react"
import { type ReactNode, useRef, useState } from "react"
import { useAsked } from "../try/use-asked.ts"
import { grantsFileText, type ReadFile, readGrantsFile } from "./grants-file.ts"
import { ImportDialog } from "./import-dialog.tsx"

/** Takes remembered answers out as a file, and in from one. */
export function CarryGrants(): ReactNode {
  const picker = useRef<HTMLInputElement>(null)
  const [picked, setPicked] = useState<(ReadFile & { readonly name: string }) | null>(null)
  const { ask, isBusy, problem } = useAsked<GrantsFile>()
  const save = async (): Promise<void> => {
    const reply = await ask((client) => client.exportGrants())
    if (reply?.ok === true) download("byleave-grants.json", grantsFileText(reply.value))
  }
  const pick = async (file: File | undefined): Promise<void> => {
    if (picker.current !== null) picker.current.value = ""
    if (file === undefined) return
    setPicked({ ...readGrantsFile(await file.text(), Date.now()), name: file.name })
  }
  return (
    <>
      {problem !== null && <Notice tone="no">{problem.detail}</Notice>}
      <input
        ref={picker}
        hidden
        type="file"
        accept="application/json,.json"
        aria-label="Permissions file"
        onChange={(event) => void pick(event.currentTarget.files?.[0])}
      />
      <Button icon={<Upload />} onClick={() => picker.current?.click()}>
        Import
      </Button>
      <Button icon={<Download />} busy={isBusy && "Exporting…"} onClick={() => void save()}>
        Export
      </Button>
      {picked !== null && <ImportDialog picked={picked} onClose={() => setPicked(null)} />}
    </>
  )
}

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }))
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
