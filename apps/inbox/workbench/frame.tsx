import "@byleave/ui/look.css"
import { type ReactNode, StrictMode, useEffect, useSyncExternalStore } from "react"
import { createRoot } from "react-dom/client"
import { type Example, matching } from "./example.ts"
import look from "./frame.module.css"
import { exampleGroups } from "./groups.ts"
import { stayUntilUsed } from "./stay-until-used.ts"
import { type FrameState, frameAddress, readFrameState } from "./view-state.ts"

function useFrameState(): FrameState {
  const hash = useSyncExternalStore(onHash, () => location.hash)
  return readFrameState({ search: location.search, hash })
}

function onHash(listener: () => void): () => void {
  addEventListener("hashchange", listener)
  return () => removeEventListener("hashchange", listener)
}

/** The examples in one theme, as wide as the frame. */
function Frame(): ReactNode {
  const { theme, filter, at, only } = useFrameState()
  useEffect(() => {
    document.documentElement.dataset.theme = theme
  }, [theme])
  useEffect(() => {
    const example = document.getElementById(at)
    if (example !== null) scrollTo(0, example.getBoundingClientRect().top + scrollY)
  }, [at])
  const single = exampleGroups.flatMap(({ examples }) => examples).find(({ id }) => id === only)
  if (single !== undefined) {
    return (
      <main>
        <single.Draw />
      </main>
    )
  }
  const groups = matching(exampleGroups, filter)
  return (
    <main className={look.examples}>
      {groups.length === 0 && <p>No example has these words in its title.</p>}
      {groups.map(({ title, examples }) => (
        <section key={title} className={look.group}>
          <h1>{title}</h1>
          {examples.map((example) => (
            <OneExample key={example.id} example={example} theme={theme} />
          ))}
        </section>
      ))}
    </main>
  )
}

type OneExampleProps = { readonly example: Example; readonly theme: FrameState["theme"] }

function OneExample({ example: { id, title, Draw, coversPage }, theme }: OneExampleProps): ReactNode {
  return (
    <section id={id} className={look.example} aria-label={title}>
      <p className={look.title}>
        {/* The address of the workbench keeps the place, and takes the other theme's frame there. */}
        <a href={`#${id}`} target="_parent" onClick={goTo(id)}>
          {title}
        </a>
      </p>
      {coversPage ? (
        <iframe
          className={look.page}
          title={`${title}, ${theme}`}
          src={frameAddress({ theme, only: id })}
          loading="lazy"
        />
      ) : (
        <Draw />
      )}
    </section>
  )
}

function goTo(id: string) {
  return (event: { readonly preventDefault: () => void }): void => {
    event.preventDefault()
    parent.location.hash = id
  }
}

const place = document.getElementById("frame")
if (place === null) throw new Error("The frame has no root element.")
stayUntilUsed()
createRoot(place).render(
  <StrictMode>
    <Frame />
  </StrictMode>,
)
