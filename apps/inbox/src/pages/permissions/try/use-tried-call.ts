import type { ExplanationView, ServerView, SessionView } from "@byleave/api"
import { useState } from "react"
import { useRead } from "../../../data/use-read.ts"
import { argsTemplate, readArgs, schemaKeys } from "./args-template.ts"
import { type AskedEffects, useAsked } from "./use-asked.ts"
import { type AskingAgent, anyone, callerOf } from "./who-asks.tsx"

export type TriedTool = { readonly server: string; readonly tool: string }

type TriedCall = {
  /** Every tool there is to try, and the place of the chosen one. */
  readonly tools: readonly TriedTool[]
  readonly at: number
  readonly args: string
  /** The problem with the arguments as they are written. */
  readonly problem: string | undefined
  /** The keys the tool knows. */
  readonly keys: readonly string[]
  readonly who: AskingAgent
  readonly sessions: readonly SessionView[]
  readonly explained: AskedEffects<ExplanationView>
  readonly choose: (at: number) => void
  readonly write: (args: string) => void
  readonly ask: () => Promise<void>
  readonly askAs: (who: AskingAgent) => void
}

/** A call in the making that is only tried. Whatever changes of it takes the last answer away: it was about another call. */
export function useTriedCall(servers: readonly ServerView[], first: TriedTool): TriedCall {
  const tools = toolsOf(servers)
  const [at, setAt] = useState(() =>
    tools.findIndex(({ server, tool }) => server === first.server && tool === first.tool),
  )
  const chosen = tools[at]
  const [args, setArgs] = useState(() => argsTemplate(chosen?.schema ?? null))
  const [who, setWho] = useState(anyone)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const read = useRead("listSessions")
  const sessions = read.state === "ready" ? read.value.items : []
  const explained = useAsked<ExplanationView>()
  return {
    ...{ tools, at, args, problem, who, sessions, explained },
    keys: schemaKeys(chosen?.schema ?? null),
    choose: (next) => {
      explained.forget()
      setAt(next)
      setArgs(argsTemplate(tools[next]?.schema ?? null))
      setProblem(undefined)
    },
    write: (next) => {
      explained.forget()
      setArgs(next)
    },
    askAs: (next) => {
      explained.forget()
      setWho(next)
    },
    ask: async () => {
      const written = readArgs(args)
      setProblem(written.ok ? undefined : written.problem)
      if (!written.ok || chosen === undefined) return
      const tool = { server: chosen.server, tool: chosen.tool }
      const caller = callerOf(who, sessions)
      await explained.ask((client) => client.explainPolicy({ body: { tool, args: written.args, ...caller } }))
    },
  }
}

function toolsOf(servers: readonly ServerView[]) {
  return servers.flatMap((server) =>
    server.tools.map((tool) => ({
      server: server.id,
      tool: tool.name,
      schema: tool.definition?.inputSchema ?? null,
    })),
  )
}
