import type { SessionView } from "@byleave/api"
import { showText } from "@byleave/core"
import { Choice, TextField } from "@byleave/ui"
import type { ReactNode } from "react"
import { sessionWords } from "../grants/session-names.ts"

/** A known session by its place in the list, or an agent by its name. */
export type AskingAgent = { readonly session: string; readonly principal: string }

export const anyone: AskingAgent = { session: "", principal: "anyone" }

/** Whose call is tried: rules and answers can be about one agent, or one session. */
export function WhoAsks(props: {
  readonly who: AskingAgent
  readonly known: readonly SessionView[]
  readonly onChange: (who: AskingAgent) => void
}): ReactNode {
  const { who, known, onChange } = props
  const live = known.map((session, at) => ({ session, at })).filter(({ session }) => session.endedAt === null)
  return (
    <>
      <Choice
        label="Session"
        value={who.session}
        options={[
          { value: "", label: "No session" },
          ...live.map(({ session, at }) => ({ value: String(at), label: showText(sessionWords(session, known)) })),
        ]}
        onChange={(event) => onChange({ ...who, session: event.currentTarget.value })}
      />
      {who.session === "" && (
        <TextField
          label="Agent"
          hint="The ID of its token. Rules can apply to a single agent."
          value={who.principal}
          onChange={(event) => onChange({ ...who, principal: event.currentTarget.value })}
        />
      )}
    </>
  )
}

export function callerOf(
  who: AskingAgent,
  known: readonly SessionView[],
): { readonly principal: string; readonly session?: string } {
  const session = who.session === "" ? undefined : known[Number(who.session)]
  if (session === undefined) return { principal: who.principal.trim() === "" ? anyone.principal : who.principal.trim() }
  return { principal: session.principal, session: session.id }
}
