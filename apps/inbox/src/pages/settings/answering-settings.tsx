import { Sheet, Tick } from "@byleave/ui"
import type { ReactNode } from "react"
import { useNextSetting, useUndoSetting } from "../../data/undo-setting.ts"
import look from "./settings.module.css"

export function AnsweringSettings(): ReactNode {
  const [isOn, setOn] = useUndoSetting()
  const [opensNext, setOpensNext] = useNextSetting()
  return (
    <Sheet title="Decisions">
      <div className={look.body}>
        <Tick
          label="Allow undo for three seconds"
          words="A decision is sent after three seconds. When off, it is sent immediately. Applies to this browser."
          checked={isOn}
          onChange={(event) => setOn(event.currentTarget.checked)}
        />
        <Tick
          label="Open the next waiting call after a decision"
          words="When off, the call you decided stays open and shows its outcome. Applies to this browser."
          checked={opensNext}
          onChange={(event) => setOpensNext(event.currentTarget.checked)}
        />
      </div>
    </Sheet>
  )
}
