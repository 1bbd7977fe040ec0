import "@byleave/ui/look.css"
import { Choice, TextField } from "@byleave/ui"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { createRoot } from "react-dom/client"
import { addressOf, frameAddress, readViewState, type ViewState, widths } from "./view-state.ts"
import look from "./workbench.module.css"

const themes = [
  { value: "both", label: "Light and dark" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
]

/** The examples in frames of their own: a part's media queries follow the width that was chosen, and its colours the frame's theme. */
function Workbench(): ReactNode {
  const [state, setState] = useState(() => readViewState(location))
  useEffect(() => {
    const follow = (): void => setState(readViewState(location))
    addEventListener("hashchange", follow)
    addEventListener("popstate", follow)
    return () => {
      removeEventListener("hashchange", follow)
      removeEventListener("popstate", follow)
    }
  }, [])
  const show = (changes: Partial<ViewState>): void => {
    const next = { ...state, ...changes }
    history.replaceState(null, "", addressOf(next))
    setState(next)
  }
  return (
    <div className={look.workbench}>
      <header className={look.head}>
        <h1>Workbench</h1>
        <Choice
          label="Theme"
          options={themes}
          value={state.theme}
          onChange={({ target }) => show({ theme: themeNamed(target.value) })}
        />
        <Choice
          label="Width"
          options={widths.map((value) => ({ value, label: value === "full" ? "Full" : `${value} px` }))}
          value={state.width}
          onChange={({ target }) => show({ width: widths.find((width) => width === target.value) ?? "full" })}
        />
        <TextField
          label="Filter"
          type="search"
          placeholder="failed, dialog, plot …"
          value={state.filter}
          onChange={({ target }) => show({ filter: target.value, at: "" })}
        />
      </header>
      <main className={look.frames}>
        {(state.theme === "both" ? (["light", "dark"] as const) : [state.theme]).map((theme) => (
          <Frame key={theme} theme={theme} state={state} />
        ))}
      </main>
    </div>
  )
}

function themeNamed(name: string): ViewState["theme"] {
  return name === "light" || name === "dark" ? name : "both"
}

type FrameProps = { readonly theme: "light" | "dark"; readonly state: ViewState }

function Frame({ theme, state: { width, filter, at } }: FrameProps): ReactNode {
  const place = useRef<HTMLIFrameElement>(null)
  const address = frameAddress({ theme, filter, at })
  const [first] = useState(address)
  // Replaced rather than set: the browser's Back goes to what was there before the workbench, not to each letter of the filter.
  useEffect(() => place.current?.contentWindow?.location.replace(address), [address])
  return (
    <iframe
      ref={place}
      className={look.frame}
      title={`Examples, ${theme}`}
      src={first}
      style={width === "full" ? { flex: 1 } : { width: `${width}px` }}
    />
  )
}

const place = document.getElementById("workbench")
if (place === null) throw new Error("The workbench has no root element.")
createRoot(place).render(<Workbench />)
