import { Choice, Sheet } from "@byleave/ui"
import type { ReactNode } from "react"
import { type Theme, useTheme } from "../../shell/theme.ts"
import look from "./settings.module.css"

const themes = [
  { value: "system", label: "System" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const

export function LooksSettings(): ReactNode {
  const [theme, setTheme] = useTheme()
  return (
    <Sheet title="Appearance">
      <div className={look.body}>
        <Choice
          label="Theme"
          hint="Applies to this browser."
          value={theme}
          options={themes}
          onChange={(event) => setTheme(event.currentTarget.value as Theme)}
        />
      </div>
    </Sheet>
  )
}
