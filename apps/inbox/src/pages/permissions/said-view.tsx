import type { GrantView, PolicyView, ServerView, SessionView } from "@byleave/api"
import { Empty } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { ClearDialog, type Cleared } from "./grants/clear-dialog.tsx"
import { ForgetDialog } from "./grants/forget-dialog.tsx"
import { LevelDialog } from "./grants/level-dialog.tsx"
import { sessionWords } from "./grants/session-names.ts"
import { SessionSection } from "./grants/session-section.tsx"
import look from "./said-view.module.css"
import { filtered, type PermissionFilter, permissionsByServer } from "./tools/permissions-by-server.ts"
import { ServerSection } from "./tools/server-section.tsx"
import { type WholeServer, WholeServerDialog } from "./tools/whole-server-dialog.tsx"

type SaidViewProps = {
  readonly grants: readonly GrantView[]
  readonly policy: PolicyView
  readonly servers: readonly ServerView[]
  readonly sessions: readonly SessionView[]
  readonly filter: PermissionFilter
}

/** The question that stands before the page, if any. */
type Asked =
  | { readonly ask: "level" | "forget"; readonly grant: GrantView }
  | { readonly ask: "clear"; readonly cleared: Cleared }
  | { readonly ask: "whole"; readonly whole: WholeServer }

/** All that is remembered and written, by server. */
export function SaidView({ grants, policy, servers, sessions, filter }: SaidViewProps): ReactNode {
  const [asked, setAsked] = useState<Asked | null>(null)
  const all = permissionsByServer({ servers: servers.map(({ id }) => id), grants, rules: policy.rules })
  const groups = filtered(all, filter)
  const askWhole = (server: string, effect: "allow" | "deny"): void => {
    const tools = servers.find(({ id }) => id === server)?.tools.map(({ name }) => name) ?? null
    setAsked({ ask: "whole", whole: { server, effect, tools } })
  }
  const askClear = (server: string): void =>
    setAsked({ ask: "clear", cleared: { of: "server", server, grants: ofWholeServer(grants, server) } })
  return (
    <>
      <p className={look.default}>
        {defaultWords[policy.default]} <Link to="/policy">Edit rules in the policy.</Link>
      </p>
      {groups.length === 0 && <NothingFits isFiltered={all.length > 0} />}
      {groups.map((group) => (
        <ServerSection
          key={JSON.stringify(group.server)}
          group={group}
          isServed={servers.some(({ id }) => id === group.server)}
          sessionName={(grant) => (grant.session === undefined ? null : sessionWords(grant.session, sessions))}
          onChange={(grant) => setAsked({ ask: "level", grant })}
          onForget={(grant) => setAsked({ ask: "forget", grant })}
          onWhole={askWhole}
          onClear={askClear}
        />
      ))}
      <SessionSection grants={grants} sessions={sessions} onClear={(cleared) => setAsked({ ask: "clear", cleared })} />
      {asked !== null && <AskedDialog asked={asked} onClose={() => setAsked(null)} />}
    </>
  )
}

function AskedDialog({ asked, onClose }: { readonly asked: Asked; readonly onClose: () => void }): ReactNode {
  switch (asked.ask) {
    case "level":
      return <LevelDialog grant={asked.grant} onClose={onClose} />
    case "forget":
      return <ForgetDialog grant={asked.grant} onClose={onClose} />
    case "clear":
      return <ClearDialog cleared={asked.cleared} onClose={onClose} />
    case "whole":
      return <WholeServerDialog whole={asked.whole} onClose={onClose} />
  }
}

/** The permissions that clearing a server revokes: every one that names it, whatever the filter shows. */
function ofWholeServer(grants: readonly GrantView[], server: string): readonly GrantView[] {
  return grants.filter(({ breadth }) => breadth.server === server)
}

function NothingFits({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  return isFiltered ? (
    <Empty title="No matches">Try a broader filter.</Empty>
  ) : (
    <Empty title="No permissions yet">
      When you allow or deny more than a single call, the permission appears here.
    </Empty>
  )
}

const defaultWords = {
  ask: "Anything else needs approval.",
  deny: "Anything else is denied.",
  allow: "Anything else runs without approval.",
} as const satisfies Record<PolicyView["default"], string>
