import { Choice, Sheet } from "@byleave/ui"
import type { ReactNode } from "react"
import { type Theme, useTheme } from "../../shell/theme.ts"
import look from "./settings.module.css"

const themes = [
  { value: "system", label: "As the system" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const

export function LooksSettings(): ReactNode {
  const [theme, setTheme] = useTheme()
  return (
    <Sheet title="Looks">
      <div className={look.body}>
        <Choice
          label="Light or dark"
          hint="In this browser."
          value={theme}
          options={themes}
          onChange={(event) => setTheme(event.currentTarget.value as Theme)}
        />
      </div>
    </Sheet>
  )
}
