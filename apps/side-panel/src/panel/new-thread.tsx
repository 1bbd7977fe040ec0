import type { ModelView } from "@byleave/api"
import { type Prompt, promptsFor, type ThreadSetup, ThreadStart } from "@byleave/ui/chat"
import type { ReactNode } from "react"
import look from "./new-thread.module.css"
import type { PanelBackend } from "./panel-client.ts"

type NewThreadProps = {
  readonly kind: PanelBackend["kind"]
  readonly setup: ThreadSetup
  readonly onTry: (text: string) => void
  readonly onServers: () => void
  readonly onSettings: () => void
}

/** The scripted model inside the extension knows these. */
const scriptedHere: readonly Prompt[] = [
  { text: "Write a haiku into notes.md", words: "One call, which asks before it writes" },
  { text: "Write two notes", words: "Two calls at once: decide each" },
  { text: "Tidy up my notes", words: "A call that deletes" },
]

/** Before the first message: what to ask for, and what the panel works with. */
export function NewThread({ kind, setup, onTry, onServers, onSettings }: NewThreadProps): ReactNode {
  if (setup.models === "loading") return <ThreadStart prompts={[]} onTry={onTry} />
  const isAlone = kind === "standalone"
  const model = setup.models === "none" ? undefined : setup.models.find(({ name }) => name === setup.model)
  const servers = setup.servers.length
  const { prompts, isScripted } = promptsFor(setup)
  return (
    <ThreadStart prompts={isScripted && isAlone ? scriptedHere : prompts} onTry={onTry}>
      <dl className={look.with}>
        <dt>Model</dt>
        <dd>
          {modelWords(model)}{" "}
          {isAlone && (
            <button type="button" className={look.link} onClick={onSettings}>
              {isScripted ? "Connect a model" : "Change"}
            </button>
          )}
        </dd>
        <dt>Servers</dt>
        <dd>
          {servers === 1 ? "1 server" : `${servers} servers`}{" "}
          <button type="button" className={look.link} onClick={onServers}>
            {isAlone ? "Add a server" : "Show"}
          </button>
        </dd>
      </dl>
    </ThreadStart>
  )
}

function modelWords(model: ModelView | undefined): string {
  if (model?.provider === "scripted") return "Scripted demonstration: it plays a few answers and understands nothing."
  return model?.model ?? "None that can be used. Add one under models: in the byleave.yaml of your Byleave."
}
