import type { ModelView } from "@byleave/api"
import { type Prompt, promptsFor, ThreadStart } from "@byleave/ui/chat"
import type { ReactNode } from "react"
import look from "./new-thread.module.css"
import { answerIn, type PanelBackend } from "./panel-client.ts"
import { useLive } from "./use-live.ts"

type NewThreadProps = {
  readonly backend: PanelBackend
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
export function NewThread({ backend, onTry, onServers, onSettings }: NewThreadProps): ReactNode {
  const setup = useLive(
    backend,
    async () => {
      const [models, servers] = await Promise.all([
        answerIn(backend.client.listModels()),
        answerIn(backend.client.listServers()),
      ])
      return { models: models.items, servers: servers.items.length }
    },
    { key: "setup", isStale: ({ type }) => type === "server.changed" || type === "policy.changed" },
  )
  if (setup.state !== "ready") return <ThreadStart prompts={[]} onTry={onTry} />
  const { models, servers } = setup.value
  const isAlone = backend.kind === "standalone"
  const model = models.find(({ problem }) => problem === null)
  const { prompts, isScripted } = promptsFor({ models, model: model?.name ?? "" })
  return (
    <ThreadStart prompts={isScripted && isAlone ? scriptedHere : prompts} onTry={onTry}>
      <dl className={look.with}>
        <dt>Model</dt>
        <dd>
          {modelWords(model)}{" "}
          <button type="button" className={look.link} onClick={onSettings}>
            {isScripted && isAlone ? "Connect a model" : "Change"}
          </button>
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
  return model?.model ?? "None"
}
