import type { GrantView } from "@byleave/api"
import { grantAsShown } from "@byleave/api/page"
import { Button, Empty, Loading, Mark, Sentence, ShownName } from "@byleave/ui"
import { AllowedByPolicy } from "@byleave/ui/chat"
import { ShieldCheck } from "lucide-react"
import type { ReactNode } from "react"
import { forgetGrants, isOfChat, isOfThread } from "./end-left-grants.ts"
import { answerIn, type PanelBackend } from "./panel-client.ts"
import { PastDecisions } from "./past-decisions.tsx"
import look from "./places.module.css"
import { ProblemNotice } from "./problem-notice.tsx"
import { type Live, useAct, useLive } from "./use-live.ts"

export function useGrants(backend: PanelBackend): Live<readonly GrantView[]> {
  return useLive(
    backend,
    async () => (await answerIn(backend.client.listGrants())).items.map((grant) => grantAsShown(grant, Date.now())),
    { key: "grants", isStale: ({ type }) => type === "grant.changed" || type === "session.ended" },
  )
}

/** Everything that runs unasked, each with its switch. */
export function Permissions({
  backend,
  thread,
}: {
  readonly backend: PanelBackend
  readonly thread: string | null
}): ReactNode {
  const grants = useGrants(backend)
  if (grants.state === "loading") return <Loading label="Loading the permissions" />
  if (grants.state === "problem") return <ProblemNotice words={grants.words} />
  const here = grants.value.filter((grant) => isOfThread(grant, thread))
  const elsewhere = grants.value.filter((grant) => isOfChat(grant) && !isOfThread(grant, thread))
  const always = grants.value.filter(({ session }) => session === undefined)
  return (
    <div className={look.place}>
      <h2>Permissions</h2>
      {backend.kind === "standalone" ? (
        <p className="soft">Anything else needs your approval.</p>
      ) : (
        <Rules backend={backend} />
      )}
      {here.length + elsewhere.length + always.length === 0 && (
        <Empty icon={<ShieldCheck />} title="Nothing is auto-approved">
          <p>“Allow for session” on a card auto-approves a tool or its whole server in this thread.</p>
        </Empty>
      )}
      {here.length > 0 && (
        <GrantList
          backend={backend}
          title="Auto-approved in this thread"
          words="Ends when you switch threads."
          grants={here}
        />
      )}
      {elsewhere.length > 0 && (
        <GrantList
          backend={backend}
          title="In other threads"
          words="Given outside of this thread."
          grants={elsewhere}
        />
      )}
      {always.length > 0 && (
        <GrantList backend={backend} title="Always" words="In every thread, also after a restart." grants={always} />
      )}
      <PastDecisions backend={backend} />
    </div>
  )
}

/** Paired, the policy of the service lets calls run as well. */
function Rules({ backend }: { readonly backend: PanelBackend }): ReactNode {
  const servers = useLive(backend, async () => (await answerIn(backend.client.listServers())).items, {
    key: "servers",
    isStale: ({ type }) => type === "server.changed" || type === "policy.changed" || type === "grant.changed",
  })
  if (servers.state !== "ready") return null
  const allowing = servers.value.filter(({ tools }) => tools.some(({ effect }) => effect === "allow"))
  return (
    <section className={look.group} aria-label="By your policy">
      {allowing.map((server) => (
        <div key={server.id}>
          <h3>
            <ShownName text={server.id} />
          </h3>
          <AllowedByPolicy server={server} />
        </div>
      ))}
      <p className="soft">Anything else needs your approval, or is decided by a rule of your Byleave.</p>
    </section>
  )
}

type GrantListProps = {
  readonly backend: PanelBackend
  readonly title: string
  readonly words: string
  readonly grants: readonly GrantView[]
}

function GrantList({ backend, title, words, grants }: GrantListProps): ReactNode {
  const clear = useAct(() => forgetGrants(backend.client, grants))
  return (
    <section className={look.group} aria-label={title}>
      <header>
        <div>
          <h3>{title}</h3>
          <p className="aside">{words}</p>
        </div>
        {grants.length > 1 && (
          <Button size="small" busy={clear.isBusy && "Clearing…"} onClick={() => void clear.run()}>
            Clear all
          </Button>
        )}
      </header>
      <ProblemNotice words={clear.problem} />
      <ul className={look.rows}>
        {grants.map((grant) => (
          <GrantRow key={grant.id} backend={backend} grant={grant} />
        ))}
      </ul>
    </section>
  )
}

function GrantRow({ backend, grant }: { readonly backend: PanelBackend; readonly grant: GrantView }): ReactNode {
  const forget = useAct(() => forgetGrants(backend.client, [grant]))
  return (
    <li className={look.row}>
      <div className={look.said}>
        <p>
          <Sentence text={grant.words} />
        </p>
        <p className="aside">
          {grant.effect === "deny" && <Mark tone="no">Denied</Mark>}{" "}
          {grant.timesUsed === 0
            ? "Not used yet"
            : `Used ${grant.timesUsed === 1 ? "once" : `${grant.timesUsed} times`}`}
        </p>
        <ProblemNotice words={forget.problem} />
      </div>
      <Button size="small" busy={forget.isBusy && "Turning off…"} onClick={() => void forget.run()}>
        Turn off
      </Button>
    </li>
  )
}
