import type { ModelView, RunView } from "@byleave/api"
import { useState } from "react"
import type { ThreadSetup } from "./thread-setup.ts"

type Choice = { readonly model?: string; readonly servers?: string[] }

export type ChosenSetup = ThreadSetup & {
  /** For a new thread. */
  readonly chosen: Choice
  /** For the next message of a thread: what differs from what it has. */
  readonly changed: Choice
}

/** What there is to choose from. */
export type KnownSetup = {
  /** Null: not read yet. */
  readonly models: readonly ModelView[] | null
  readonly servers: readonly string[]
}

/** The model and the servers of a thread, and what was chosen otherwise from the next message on. */
export function useThreadSetup(
  id: string | null,
  run: Pick<RunView, "model" | "servers"> | null,
  known: KnownSetup,
): ChosenSetup {
  const [choices, setChoices] = useState<ReadonlyMap<string | null, Choice>>(new Map())
  const choice = choices.get(id) ?? {}
  const choose = (more: Choice): void => setChoices((before) => new Map(before).set(id, { ...before.get(id), ...more }))
  const models = known.models ?? []
  const model = choice.model ?? run?.model ?? models.find(({ problem }) => problem === null)?.name ?? ""
  const servers = choice.servers === undefined ? {} : { servers: choice.servers }
  return {
    models: known.models === null ? "loading" : models.length === 0 ? "none" : models,
    servers: known.servers,
    model,
    usedServers: choice.servers ?? run?.servers ?? known.servers,
    onModel: (name) => choose({ model: name }),
    onServers: (ids) => choose({ servers: [...ids] }),
    chosen: { ...(model === "" ? {} : { model }), ...servers },
    changed: {
      ...(choice.model === undefined || choice.model === run?.model ? {} : { model: choice.model }),
      ...servers,
    },
  }
}
