import type { RunView } from "@byleave/api"
import {
  Ago,
  Exact,
  type LiveLeg,
  MaskedJson,
  runStateOf,
  runStateWords,
  ShownName,
  ShownText,
  Stamp,
  stepsInWords,
  usageInWords,
} from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import look from "./run-about.module.css"
import { serversInWords, starterInWords, withLive } from "./run-facts.ts"

type RunAboutProps = { readonly run: RunView; readonly live: LiveLeg | null }

/** The run as a slip: how it stands on the stub, what it is below. */
export function RunAbout({ run, live }: RunAboutProps): ReactNode {
  const { label, tone } = runStateWords[runStateOf(run)]
  const { steps, usage } = withLive(run, live)
  return (
    <section className={look.about} aria-label="About this run">
      <p className="only-read-aloud" role="status">{`${label}, ${stepsInWords(steps)}`}</p>
      <div className={look.stub}>
        <Stamp tone={tone}>{label}</Stamp>
        <p>
          <strong>{stepsInWords(steps)}</strong>
          <br />
          <Ago at={lastChange(run)} />
        </p>
      </div>
      <dl className={look.facts}>
        <Fact name="Model">
          <ShownName text={run.model} />
        </Fact>
        <Fact name="Servers">
          <ShownName text={serversInWords(run.servers)} />
        </Fact>
        <Fact name="Cost">{usageInWords(usage)}</Fact>
        <Fact name="Started">
          <Ago at={run.createdAt} /> by <ShownName text={starterInWords(run.startedBy)} />
        </Fact>
        <Fact name="Calls">
          <Link to="/activity" search={{ principal: run.principal, session: run.id } as never}>
            Every call of this run
          </Link>
        </Fact>
        <Fact name="Run ID">
          <Exact>{run.id}</Exact>
        </Fact>
      </dl>
      {(run.instructions !== null || run.metadata !== null) && (
        <div className={look.given}>
          {run.instructions !== null && (
            <details>
              <summary>Instructions</summary>
              <blockquote className={look.quoted}>
                <ShownText text={run.instructions.slice(0, longest)} />
                {run.instructions.length > longest && "…"}
              </blockquote>
            </details>
          )}
          {run.metadata !== null && (
            <details>
              <summary>Metadata</summary>
              <MaskedJson value={run.metadata} label="Metadata" />
            </details>
          )}
        </div>
      )}
    </section>
  )
}

const longest = 8_000

function lastChange(run: RunView): number {
  if (run.status === "paused") return run.pausedAt
  return run.status === "running" ? run.updatedAt : run.endedAt
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
