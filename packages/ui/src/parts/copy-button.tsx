import { Check, Copy } from "lucide-react"
import { type ReactNode, useState } from "react"
import { Button } from "./button.tsx"

type State = "idle" | "copied" | "failed"

type CopyButtonProps = {
  readonly text: string
  readonly what: string
  readonly onCopied?: () => void
  readonly tone?: "quiet"
}

/** Copies one text; says so when the browser does not let it. */
export function CopyButton({ text, what, onCopied, tone }: CopyButtonProps): ReactNode {
  const [state, setState] = useState<State>("idle")
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      setState("copied")
      onCopied?.()
    } catch {
      setState("failed")
    }
  }
  return (
    <>
      <Button
        size="small"
        {...(tone === undefined ? {} : { tone })}
        icon={state === "copied" ? <Check /> : <Copy />}
        onClick={() => void copy()}
      >
        {state === "copied" ? `Copied ${what}` : `Copy ${what}`}
      </Button>
      <span role="status">
        {state === "failed" && "This browser blocked copying. Select the text and copy it manually."}
      </span>
    </>
  )
}
