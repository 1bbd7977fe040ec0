import type { GrantView, SessionView } from "@byleave/api"
import { showText } from "@byleave/core"
import { Button, Sheet, ShownName } from "@byleave/ui"
import type { ReactNode } from "react"
import { FirstOf } from "../../places/first-of.tsx"
import { grantsBySession } from "../tools/permissions-by-server.ts"
import type { Cleared } from "./clear-dialog.tsx"
import { sessionWords } from "./session-names.ts"
import look from "./session-section.module.css"

type SessionSectionProps = {
  readonly grants: readonly GrantView[]
  readonly sessions: readonly SessionView[]
  readonly onClear: (cleared: Cleared) => void
}

/** Permissions of single sessions, which can be cleared a session at a time. */
export function SessionSection({ grants, sessions, onClear }: SessionSectionProps): ReactNode {
  const bySession = grantsBySession(grants)
  if (bySession.length === 0) return null
  return (
    <Sheet title="For one session" label="For one session">
      <ul>
        <FirstOf items={bySession} keyOf={({ principal, id }) => JSON.stringify([principal, id])}>
          {(session) => {
            const words = sessionWords(session, sessions)
            const { principal, id } = session
            return (
              <li className={look.row}>
                <span className={look.name}>
                  <ShownName text={words} />
                </span>
                <span className="aside">
                  {session.grants.length === 1 ? "1 permission" : `${session.grants.length} permissions`}
                </span>
                <Button
                  size="small"
                  aria-label={`Revoke all permissions for ${showText(words)}`}
                  onClick={() => onClear({ of: "session", session: { principal, id }, grants: session.grants })}
                >
                  Revoke all
                </Button>
              </li>
            )
          }}
        </FirstOf>
      </ul>
    </Sheet>
  )
}
