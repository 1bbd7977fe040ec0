import { Sheet, Tick } from "@byleave/ui"
import type { ReactNode } from "react"
import { useUndoSetting } from "../../data/undo-setting.ts"
import look from "./settings.module.css"

export function AnsweringSettings(): ReactNode {
  const [isOn, setOn] = useUndoSetting()
  return (
    <Sheet title="Answering">
      <div className={look.body}>
        <Tick
          label="Let me undo an answer for three seconds"
          words="An answer is sent once the three seconds are over. Turned off, it is sent at once. In this browser."
          checked={isOn}
          onChange={(event) => setOn(event.currentTarget.checked)}
        />
      </div>
    </Sheet>
  )
}
