import type { ExplanationView, ServerView, SessionView } from "@byleave/api"
import { Button, Choice, Dialog, LongField, Notice, TextField } from "@byleave/ui"
import { type ReactNode, useEffect, useRef, useState } from "react"
import { useRead } from "../../data/use-read.ts"
import { argsTemplate, readArgs, schemaKeys } from "./args-template.ts"
import type { TriedTool } from "./effective-view.tsx"
import { ExplanationWords } from "./explanation-words.tsx"
import { sessionWords } from "./session-names.ts"
import look from "./try-call-dialog.module.css"
import { useAsked } from "./use-asked.ts"

type TryCallDialogProps = {
  readonly servers: readonly ServerView[]
  readonly first: TriedTool
  readonly onClose: () => void
}

/** Asks policy what it would say to a call. Nothing is called, and nothing is recorded. */
export function TryCallDialog({ servers, first, onClose }: TryCallDialogProps): ReactNode {
  const tools = toolsOf(servers)
  const [at, setAt] = useState(() =>
    tools.findIndex(({ server, tool }) => server === first.server && tool === first.tool),
  )
  const chosen = tools[at]
  const [text, setText] = useState(() => argsTemplate(chosen?.schema ?? null))
  const [who, setWho] = useState<Who>({ session: "", principal: "anyone" })
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const sessions = useRead("listSessions")
  const known = sessions.state === "ready" ? sessions.value.items : []
  const explained = useAsked<ExplanationView>()
  const answer = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (explained.value !== null) answer.current?.scrollIntoView({ block: "nearest" })
  }, [explained.value])
  const change = (next: () => void): void => {
    explained.forget()
    next()
  }
  const ask = async (): Promise<void> => {
    const read = readArgs(text)
    setProblem(read.ok ? undefined : read.problem)
    if (!read.ok || chosen === undefined) return
    const tool = { server: chosen.server, tool: chosen.tool }
    await explained.ask((client) => client.explainPolicy({ body: { tool, args: read.args, ...callerOf(who, known) } }))
  }
  const keys = schemaKeys(chosen?.schema ?? null)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Try a call"
      lead="What would be decided. Nothing is called, and nothing is recorded."
      actions={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button busy={explained.isBusy && "Asking…"} onClick={() => void ask()}>
            See what would happen
          </Button>
        </>
      }
    >
      <Choice
        label="Tool"
        value={String(at)}
        options={tools.map(({ server, tool }, place) => ({ value: String(place), label: `${server}(${tool})` }))}
        onChange={(event) => {
          const next = Number(event.currentTarget.value)
          change(() => {
            setAt(next)
            setText(argsTemplate(tools[next]?.schema ?? null))
            setProblem(undefined)
          })
        }}
      />
      <div className={look.exact}>
        <LongField
          label="Arguments, as JSON"
          hint={keys.length === 0 ? "Nothing is known of its arguments." : `It knows: ${keys.join(", ")}`}
          error={problem}
          rows={Math.min(12, text.split("\n").length + 1)}
          spellCheck={false}
          value={text}
          onChange={(event) => {
            const next = event.currentTarget.value
            change(() => setText(next))
          }}
        />
      </div>
      <WhoAsks who={who} known={known} onChange={(next) => change(() => setWho(next))} />
      <div aria-live="polite" ref={answer}>
        {explained.problem !== null && <Notice tone="no">{explained.problem.detail}</Notice>}
        {explained.value !== null && <ExplanationWords explanation={explained.value} />}
      </div>
    </Dialog>
  )
}

/** A known session by its place in the list, or an agent by its name. */
type Who = { readonly session: string; readonly principal: string }

function WhoAsks(props: {
  readonly who: Who
  readonly known: readonly SessionView[]
  readonly onChange: (who: Who) => void
}): ReactNode {
  const { who, known, onChange } = props
  const live = known.map((session, at) => ({ session, at })).filter(({ session }) => session.endedAt === null)
  return (
    <>
      <Choice
        label="Session"
        value={who.session}
        options={[
          { value: "", label: "None in particular" },
          ...live.map(({ session, at }) => ({ value: String(at), label: sessionWords(session, known) })),
        ]}
        onChange={(event) => onChange({ ...who, session: event.currentTarget.value })}
      />
      {who.session === "" && (
        <TextField
          label="Agent"
          hint="The id of its token. Rules can be about one agent."
          value={who.principal}
          onChange={(event) => onChange({ ...who, principal: event.currentTarget.value })}
        />
      )}
    </>
  )
}

function callerOf(who: Who, known: readonly SessionView[]): { readonly principal: string; readonly session?: string } {
  const session = who.session === "" ? undefined : known[Number(who.session)]
  if (session === undefined) return { principal: who.principal.trim() === "" ? "anyone" : who.principal.trim() }
  return { principal: session.principal, session: session.id }
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
