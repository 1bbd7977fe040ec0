import type { InsightView } from "@byleave/api"
import { sessionName } from "@byleave/api/page"
import { Plot, PlotTable, RowPlot, ShownName } from "@byleave/ui"
import type { ReactNode } from "react"
import { useSessionsOf } from "../../data/use-sessions-of.ts"
import type { ActivityFilters } from "../activity/activity-filters.ts"
import { decisionSeries } from "./insight-series.ts"
import { agentLabel, callersWords } from "./insight-words.ts"
import type { PlotPlace } from "./plot-place.ts"

/** Calls by the agent that made them. */
export function AgentsPlot(place: PlotPlace): ReactNode {
  const rows = place.view.agents.map((row) => ({
    ...row,
    key: row.principal,
    name: agentLabel(row.principal),
    filters: { principal: row.principal },
  }))
  return <CallersPlot title="Calls by agent" first="Agent" rows={rows} {...place} />
}

/** Calls by the session they were made in. */
export function SessionsPlot(place: PlotPlace): ReactNode {
  const { sessions: counted } = place.view
  const known = useSessionsOf(counted.map(({ sessionKey }) => sessionKey))
  const rows = counted.map(({ session, sessionKey, ...counts }) => ({
    ...counts,
    key: sessionKey,
    name: sessionName(known.get(sessionKey), { ...session, named: known.get(sessionKey)?.named ?? true }),
    filters: { principal: session.principal, session: session.id },
  }))
  return <CallersPlot title="Calls by session" first="Session" rows={rows} {...place} />
}

/** Calls by the server they went to. */
export function ServersPlot(place: PlotPlace): ReactNode {
  const rows = place.view.servers.map((row) => ({
    ...row,
    key: row.server,
    name: row.server,
    filters: { server: row.server },
  }))
  return <CallersPlot title="Calls by server" first="Server" rows={rows} {...place} />
}

type CallersRow = Pick<InsightView["agents"][number], "allow" | "ask" | "deny" | "hide"> & {
  readonly key: string
  readonly name: string
  readonly filters: ActivityFilters
}

type CallersPlotProps = PlotPlace & {
  readonly title: string
  readonly first: string
  readonly rows: readonly CallersRow[]
}

function CallersPlot({ title, first, rows, view, when, hrefOf, onFollow }: CallersPlotProps): ReactNode {
  const { since, until } = view
  const plotted = rows.map(({ key, name, filters, allow, ask, deny, hide }) => ({
    key,
    name: <ShownName text={name} />,
    counts: [allow, ask, deny, hide],
    href: hrefOf({ ...filters, since, until }),
    hrefOf: (series: { readonly key: string }) => hrefOf({ ...filters, effect: series.key, since, until }),
  }))
  const series = decisionSeries
  return (
    <Plot
      title={title}
      words={callersWords(first, rows, when)}
      series={series}
      table={<PlotTable label={title} first={first} series={series} rows={plotted} onFollow={onFollow} />}
    >
      <RowPlot series={series} rows={plotted} onFollow={onFollow} />
    </Plot>
  )
}
