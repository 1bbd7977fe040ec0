import type { GrantView, PolicyView, ServerView, SessionView } from "@byleave/api"
import { Empty, Loading, Page } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useRead } from "../../data/use-read.ts"
import { CarryGrants } from "./carry-grants.tsx"
import { ClearDialog, type Cleared } from "./clear-dialog.tsx"
import { EffectiveView } from "./effective-view.tsx"
import { ForgetDialog } from "./forget-dialog.tsx"
import { LevelDialog } from "./level-dialog.tsx"
import { PermissionFilters, type Viewed, ViewSwitch } from "./permission-filters.tsx"
import { filtered, noFilter, type PermissionFilter, permissionsByServer } from "./permissions-by-server.ts"
import look from "./permissions-page.module.css"
import { ReadProblem } from "./read-problem.tsx"
import { ServerSection } from "./server-section.tsx"
import { sessionWords } from "./session-names.ts"
import { SessionSection } from "./session-section.tsx"
import { type WholeServer, WholeServerDialog } from "./whole-server-dialog.tsx"

/** What is allowed and denied without asking, by whom, and what would happen now. */
export function PermissionsPage(): ReactNode {
  const [viewed, setViewed] = useState<Viewed>("said")
  return (
    <Page
      title="Permissions"
      lead={
        <>
          What is remembered from your answers, and what the <Link to="/policy">policy</Link> says. A no always wins.
        </>
      }
      actions={<CarryGrants />}
    >
      <ViewSwitch viewed={viewed} onView={setViewed} />
      <Permissions viewed={viewed} />
    </Page>
  )
}

function Permissions({ viewed }: { readonly viewed: Viewed }): ReactNode {
  const [filter, setFilter] = useState<PermissionFilter>(noFilter)
  const grants = useRead("listGrants")
  const policy = useRead("getPolicy")
  const servers = useRead("listServers")
  const sessions = useRead("listSessions")
  for (const read of [grants, policy, servers]) {
    if (read.state === "problem") return <ReadProblem problem={read.problem} again={read.again} />
  }
  if (grants.state !== "ready" || policy.state !== "ready" || servers.state !== "ready") {
    return <Loading label="Reading permissions" lines={6} />
  }
  const items = servers.value.items
  return (
    <>
      <PermissionFilters filter={filter} servers={items.map(({ id }) => id)} onFilter={setFilter} />
      {viewed === "now" ? (
        <EffectiveView servers={items} filter={filter} />
      ) : (
        <SaidView
          grants={grants.value.items}
          policy={policy.value}
          servers={items}
          sessions={sessions.state === "ready" ? sessions.value.items : []}
          filter={filter}
        />
      )}
    </>
  )
}

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

function SaidView({ grants, policy, servers, sessions, filter }: SaidViewProps): ReactNode {
  const [asked, setAsked] = useState<Asked | null>(null)
  const all = permissionsByServer({ servers: servers.map(({ id }) => id), grants, rules: policy.rules })
  const groups = filtered(all, filter)
  const toolsOf = (id: string) => servers.find((server) => server.id === id)?.tools.map(({ name }) => name) ?? null
  return (
    <>
      <p className={look.default}>
        {defaultWords[policy.default]} <Link to="/policy">Rules are changed in the policy.</Link>
      </p>
      {groups.length === 0 && <NothingFits isFiltered={all.length > 0} />}
      {groups.map((group) => {
        const { server } = group
        const ofServer =
          server === null
            ? {}
            : {
                onWhole: (effect: "allow" | "deny") =>
                  setAsked({ ask: "whole", whole: { server, effect, tools: toolsOf(server) } }),
                onClear: () =>
                  setAsked({ ask: "clear", cleared: { of: "server", server, grants: ofWholeServer(grants, server) } }),
              }
        return (
          <ServerSection
            key={JSON.stringify(server)}
            group={group}
            sessionName={(grant) => (grant.session === undefined ? null : sessionWords(grant.session, sessions))}
            onChange={(grant) => setAsked({ ask: "level", grant })}
            onForget={(grant) => setAsked({ ask: "forget", grant })}
            {...ofServer}
          />
        )
      })}
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

/** What clearing a server takes: every answer that names it, whatever the filter shows. */
function ofWholeServer(grants: readonly GrantView[], server: string): readonly GrantView[] {
  return grants.filter(({ breadth }) => breadth.server === server)
}

function NothingFits({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  return isFiltered ? (
    <Empty title="Nothing fits">Ask for less in the filter above.</Empty>
  ) : (
    <Empty title="Nothing is remembered yet">
      When you answer a call with more than “once”, the answer is kept here.
    </Empty>
  )
}

const defaultWords = {
  ask: "What nothing here covers asks a person.",
  deny: "What nothing here covers is refused.",
  allow: "What nothing here covers runs unasked.",
} as const satisfies Record<PolicyView["default"], string>
