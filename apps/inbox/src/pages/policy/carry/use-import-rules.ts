import type { ImportedRulesView, PolicyPreviewView } from "@byleave/api"
import { useState } from "react"
import { useClient } from "../../../data/client.tsx"
import { useAct } from "../../../data/use-act.ts"

export type Prefer = "stricter" | "imported" | "current"

/** Another program's rules, looked at: nothing is saved yet. */
export type CheckedImport = {
  readonly rules: ImportedRulesView
  /** The effects of saving; null where there is nothing to save. */
  readonly preview: PolicyPreviewView | null
  readonly isChange: boolean
}

type Asked = { readonly format?: string; readonly source: string; readonly prefer: Prefer }

type ImportRules = {
  readonly checked: CheckedImport | null
  readonly check: (asked: Asked) => Promise<void>
  /** True when they were saved. What allows more then waits for approval. */
  readonly apply: () => Promise<boolean>
  readonly forget: () => void
  readonly isBusy: boolean
  readonly problem: string | null
}

/** Checks rules, shows their effects, and saves exactly what was shown. */
export function useImportRules(): ImportRules {
  const client = useClient()
  const saving = useAct("savePolicy")
  const [checked, setChecked] = useState<CheckedImport | null>(null)
  const [isChecking, setChecking] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const check = async (asked: Asked): Promise<void> => {
    setChecking(true)
    setProblem(null)
    saving.forget()
    try {
      const reply = await client.importRules({ body: asked })
      if (!reply.ok) return setProblem(reply.problem.detail)
      const { text } = reply.value
      const [preview, current] =
        text === null
          ? [null, null]
          : await Promise.all([client.previewPolicy({ body: { text } }), client.getPolicyText()])
      if (preview !== null && !preview.ok) return setProblem(preview.problem.detail)
      setChecked({
        rules: reply.value,
        preview: preview?.value ?? null,
        isChange: preview?.value.ok === true && current?.ok === true && current.value.text !== text,
      })
    } catch {
      setProblem("Byleave did not answer. Try again.")
    } finally {
      setChecking(false)
    }
  }
  const apply = async (): Promise<boolean> => {
    const { text, version } = checked?.rules ?? { text: null, version: "" }
    if (text === null) return false
    const reply = await saving.act({ body: { text, version, widening: "waits" } })
    return reply.ok
  }
  return {
    checked,
    check,
    apply,
    forget: () => {
      setChecked(null)
      setProblem(null)
      saving.forget()
    },
    isBusy: isChecking || saving.isBusy,
    problem: problem ?? saving.problem?.detail ?? null,
  }
}
