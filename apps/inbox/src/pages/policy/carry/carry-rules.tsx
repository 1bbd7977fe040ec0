import { Button } from "@byleave/ui"
import { Download, Upload } from "lucide-react"
import { type ReactNode, useState } from "react"
import { ExportRulesDialog } from "./export-rules-dialog.tsx"
import { ImportRulesDialog } from "./import-rules-dialog.tsx"

type CarryRulesProps = {
  /** False: the file cannot be edited here, so nothing can be imported into it. */
  readonly canImport: boolean
}

/** Brings rules of other programs in, and takes rules to them. */
export function CarryRules({ canImport }: CarryRulesProps): ReactNode {
  const [open, setOpen] = useState<"import" | "export" | null>(null)
  const close = (): void => setOpen(null)
  return (
    <>
      <Button icon={<Upload />} disabled={!canImport} onClick={() => setOpen("import")}>
        Import rules…
      </Button>
      <Button icon={<Download />} onClick={() => setOpen("export")}>
        Export rules…
      </Button>
      {open === "import" && <ImportRulesDialog onClose={close} />}
      {open === "export" && <ExportRulesDialog onClose={close} />}
    </>
  )
}
