import type { RunSummaryView } from "@byleave/api"
import { showText } from "@byleave/core"
import { Ago, RunMark, ShownName, stepsInWords, tokensInWords } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { memo, type ReactNode } from "react"
import list from "../places/long-list.module.css"
import { serversInWords, starterInWords } from "./run-facts.ts"
import look from "./run-list.module.css"

/** Runs, one line each where there is room for it. */
export function RunList({ runs }: { readonly runs: readonly RunSummaryView[] }): ReactNode {
  return (
    <div className={look.list}>
      <p className={look.heads} aria-hidden="true">
        <span>State</span>
        <span>Task</span>
        <span>Model and servers</span>
        <span className={look.number}>Steps</span>
        <span className={look.number}>Tokens</span>
        <span className={look.started}>Started</span>
      </p>
      <ul>
        {runs.map((run) => (
          <RunRow key={run.id} run={run} />
        ))}
      </ul>
    </div>
  )
}

const counted = new Intl.NumberFormat("en")

const RunRow = memo(function RunRow({ run }: { readonly run: RunSummaryView }): ReactNode {
  const servers = serversInWords(run.servers)
  return (
    <li className={`${list.item} ${look.item}`}>
      <Link className={`${list.row} ${look.row}`} to="/runs/$id" params={{ id: run.id }}>
        <span className={look.state}>
          <RunMark run={run} />
        </span>
        <span className={look.title} title={showText(run.title)}>
          <ShownName text={run.title} />
        </span>
        <span className={`one-line ${look.model}`} title={showText(`${run.model}, ${servers}`)}>
          <ShownName text={run.model} /> <span className={look.soft}>{"· "}</span>
          <span className={look.soft}>
            <ShownName text={servers} />
          </span>
        </span>
        <span className={`${look.number} ${look.steps}`}>
          <span aria-hidden="true">{counted.format(run.steps)}</span>
          <span className={look.counted}>{stepsInWords(run.steps)}</span>
        </span>
        <span className={`${look.number} ${look.tokens}`}>
          <span aria-hidden="true">{counted.format(run.usage.total)}</span>
          <span className={look.counted}>{tokensInWords(run.usage.total)}</span>
        </span>
        <span className={look.started}>
          <Ago at={run.createdAt} />
          <span className={`one-line ${look.by}`}>
            by <ShownName text={starterInWords(run.startedBy)} />
          </span>
        </span>
      </Link>
    </li>
  )
})
