import { CornerDownLeft } from "lucide-react"
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

type Prompt = { readonly text: string; readonly words: string }

/** The demonstration's scripted model knows these. */
const scripted: readonly Prompt[] = [
  { text: "Write a haiku into notes.md", words: "One call, which asks before it writes" },
  { text: "Write two notes", words: "Two calls at once: decide each" },
  { text: "Tidy up my notes", words: "A call that deletes" },
]

const general: readonly Prompt[] = [
  { text: "What can you do with the servers you have?", words: "A look at the tools" },
  { text: "Write a haiku into notes.md", words: "A small change to decide about" },
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
      return { models: models.items, servers: servers.items }
    },
    { key: "setup", isStale: ({ type }) => type === "server.changed" || type === "policy.changed" },
  )
  const model = setup.state === "ready" ? setup.value.models.find(({ problem }) => problem === null) : undefined
  const isScripted = model?.provider === "scripted"
  const prompts = setup.state !== "ready" ? [] : isScripted ? scripted : general
  const count = setup.state === "ready" ? setup.value.servers.length : 0
  return (
    <div className={look.start}>
      <h2 className={look.title}>What should the agent do?</h2>
      <p className="soft">
        It works with the tools of your servers. A call that needs your approval waits in its reply.
      </p>
      <ul className={look.prompts} aria-label="Try one of these">
        {prompts.map(({ text, words }) => (
          <li key={text}>
            <button type="button" className={look.prompt} onClick={() => onTry(text)}>
              <span className={look.text}>{text}</span>
              <span className={look.words}>{words}</span>
              <CornerDownLeft aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      {setup.state === "ready" && (
        <dl className={look.with}>
          <dt>Model</dt>
          <dd>
            {isScripted
              ? "Scripted demonstration: it plays a few answers and understands nothing."
              : (model?.model ?? "None")}{" "}
            <button type="button" className={look.link} onClick={onSettings}>
              {isScripted && backend.kind === "standalone" ? "Connect a model" : "Change"}
            </button>
          </dd>
          <dt>Servers</dt>
          <dd>
            {count === 1 ? "1 server" : `${count} servers`}{" "}
            <button type="button" className={look.link} onClick={onServers}>
              {backend.kind === "standalone" ? "Add a server" : "Show"}
            </button>
          </dd>
        </dl>
      )}
    </div>
  )
}
