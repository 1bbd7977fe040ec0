import { Button, Empty, Loading, Notice, Sentence } from "@byleave/ui"
import { AppWindow, PlugZap } from "lucide-react"
import { type ReactNode, useEffect, useState } from "react"
import { openPaired } from "../paired/open-paired.ts"
import { readSettings } from "../settings/settings.ts"
import { openEngine } from "../standalone/open-engine.ts"
import { standaloneBackend } from "../standalone/standalone-backend.ts"
import look from "./app.module.css"
import type { PanelBackend } from "./panel-client.ts"
import { SettingsPlace } from "./settings-place.tsx"
import { Shell } from "./shell.tsx"

type Opened =
  | { readonly state: "opening" }
  | { readonly state: "ready"; readonly backend: PanelBackend }
  /** Another document of this browser has the engine. */
  | { readonly state: "elsewhere" }
  /** Paired, and a person has not approved this browser yet. */
  | { readonly state: "waits"; readonly url: string }
  | { readonly state: "failed"; readonly words: string; readonly isPaired: boolean }

export function App(): ReactNode {
  const [opened, setOpened] = useState<Opened>({ state: "opening" })
  const [attempt, setAttempt] = useState({ isTaken: false, nth: 0 })
  useEffect(() => {
    let end = (): void => {}
    let isOver = false
    const become = (next: Opened): void => {
      if (!isOver) setOpened(next)
    }
    open(attempt.isTaken, become).then(
      (close) => {
        end = close
        if (isOver) close()
      },
      (error: unknown) =>
        become({ state: "failed", words: error instanceof Error ? error.message : String(error), isPaired: false }),
    )
    return () => {
      isOver = true
      end()
    }
  }, [attempt])
  const again = (isTaken: boolean): void => {
    setOpened({ state: "opening" })
    setAttempt((before) => ({ isTaken, nth: before.nth + 1 }))
  }
  switch (opened.state) {
    case "opening":
      return (
        <main className={look.whole}>
          <h1 className={look.name}>Byleave</h1>
          <Loading label="Opening Byleave" lines={4} />
        </main>
      )
    case "ready":
      return <Shell backend={opened.backend} />
    case "elsewhere":
      return (
        <main className={look.whole}>
          <h1 className={look.name}>Byleave</h1>
          <Empty icon={<AppWindow />} title="Byleave is open in another window">
            <p>One panel at a time carries out what you allow. Nothing is lost when it moves here.</p>
            <Button tone="yes" onClick={() => again(true)}>
              Use it here
            </Button>
          </Empty>
        </main>
      )
    case "waits":
      return (
        <main className={look.whole}>
          <h1 className={look.name}>Byleave</h1>
          <Empty icon={<PlugZap />} title="This browser waits for approval">
            <p>
              Open the Byleave at {opened.url}, go to Settings, and approve this browser under Signed-in devices. It can
              do nothing before.
            </p>
            <Button onClick={() => again(false)}>Look again</Button>
          </Empty>
          <SettingsPlace backend={null} />
        </main>
      )
    case "failed":
      return (
        <main className={look.whole}>
          <h1 className={look.name}>Byleave</h1>
          <Notice
            tone="no"
            title="Byleave could not be opened"
            actions={<Button onClick={() => again(false)}>Try again</Button>}
          >
            <p>
              <Sentence text={opened.words} />
            </p>
          </Notice>
          {opened.isPaired && <SettingsPlace backend={null} />}
        </main>
      )
  }
}

/** Opens the service this browser is paired with, or the engine in this document. Gives how to close it. */
async function open(isTaken: boolean, become: (opened: Opened) => void): Promise<() => void> {
  const { pairedWith } = await readSettings()
  if (pairedWith !== null) {
    const paired = await openPaired(pairedWith)
    if (paired.state === "ready") {
      become({ state: "ready", backend: paired.backend })
      void paired.ended.then((words) => become({ state: "failed", words, isPaired: true }))
    } else if (paired.state === "waits") become({ state: "waits", url: pairedWith })
    else become({ state: "failed", words: paired.words, isPaired: true })
    return paired.state === "ready" ? paired.close : () => undefined
  }
  const onTrouble = (trouble: unknown): void => console.error(trouble)
  const engine = await openEngine(isTaken, onTrouble)
  if (engine === null) {
    become({ state: "elsewhere" })
    return () => undefined
  }
  become({ state: "ready", backend: standaloneBackend(engine) })
  const close = (): void => void engine.close().catch(onTrouble)
  void engine.lost.then(() => {
    close()
    become({ state: "elsewhere" })
  })
  return close
}
