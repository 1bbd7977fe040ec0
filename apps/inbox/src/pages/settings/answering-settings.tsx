import { Sheet, Tick } from "@byleave/ui"
import type { ReactNode } from "react"
import { useUndoSetting } from "../../data/undo-setting.ts"
import look from "./settings.module.css"

export function AnsweringSettings(): ReactNode {
  const [isOn, setOn] = useUndoSetting()
  return (
    <Sheet title="Decisions">
      <div className={look.body}>
        <Tick
          label="Allow undo for three seconds"
          words="A decision is sent after three seconds. When off, it is sent immediately. Applies to this browser."
          checked={isOn}
          onChange={(event) => setOn(event.currentTarget.checked)}
        />
      </div>
    </Sheet>
  )
}
