import type { RunView } from "@byleave/api"
import type { ThreadSetup } from "@byleave/ui/chat"
import { useState } from "react"
import { useRead } from "../../data/use-read.ts"

export type Setup = ThreadSetup & {
  /** For a new thread. */
  readonly chosen: { readonly model?: string; readonly servers?: string[] }
  /** For the next message of a thread: what differs from what it has. */
  readonly changed: { readonly model?: string; readonly servers?: string[] }
}

type Choice = { readonly model?: string; readonly servers?: readonly string[] }

/** The model and the servers of a thread, and what was chosen otherwise from the next message on. */
export function useSetup(id: string | null, run: RunView | null): Setup {
  const read = useRead("listModels")
  const known = useRead("listServers")
  const [choices, setChoices] = useState<ReadonlyMap<string | null, Choice>>(new Map())
  const choice = choices.get(id) ?? {}
  const choose = (more: Choice): void => setChoices((before) => new Map(before).set(id, { ...before.get(id), ...more }))
  const models = read.state === "ready" ? read.value.items : []
  const servers = known.state === "ready" ? known.value.items.map((server) => server.id) : []
  const model = choice.model ?? run?.model ?? models.find(({ problem }) => problem === null)?.name ?? ""
  const usedServers = choice.servers ?? run?.servers ?? servers
  const chosen = {
    ...(choice.model === undefined ? (model === "" ? {} : { model }) : { model: choice.model }),
    ...(choice.servers === undefined ? {} : { servers: [...choice.servers] }),
  }
  return {
    models: read.state === "ready" ? (models.length === 0 ? "none" : models) : "loading",
    servers,
    model,
    usedServers,
    onModel: (name) => choose({ model: name }),
    onServers: (ids) => choose({ servers: ids }),
    chosen,
    changed: {
      ...(choice.model === undefined || choice.model === run?.model ? {} : { model: choice.model }),
      ...(choice.servers === undefined ? {} : { servers: [...choice.servers] }),
    },
  }
}
