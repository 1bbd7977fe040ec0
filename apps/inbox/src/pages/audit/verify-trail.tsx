import type { AuditReportView } from "@byleave/api"
import { Ago, Button, lengthInWords, Notice, Sheet, ShownText, Stamp, tookInWords, useNow } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { ShieldCheck } from "lucide-react"
import type { ReactNode } from "react"
import { checkedInWords, countInWords, foundProblems, notesOf } from "./report-words.ts"
import { useVerify, type Verifying } from "./use-verify.ts"
import look from "./verify-trail.module.css"

/** Proves the trail, and shows what came of it. */
export function VerifyTrail(): ReactNode {
  const { verifying, verify, stop } = useVerify()
  const isRunning = verifying.state === "running"
  const actions = (
    <>
      {isRunning && (
        <Button size="small" tone="quiet" onClick={stop}>
          Stop
        </Button>
      )}
      <Button size="small" icon={<ShieldCheck />} busy={isRunning ? "Verifying" : false} onClick={verify}>
        {verifying.state === "done" ? "Verify again" : "Verify now"}
      </Button>
    </>
  )
  return (
    <Sheet title="Verify integrity" label="Verify integrity" actions={actions}>
      <div className={look.body} aria-live="polite">
        <Verified verifying={verifying} />
      </div>
    </Sheet>
  )
}

function Verified({ verifying }: { readonly verifying: Verifying }): ReactNode {
  switch (verifying.state) {
    case "idle":
      return (
        <p className="aside">
          Recomputes every hash and signature, and checks that nothing ran without approval, after a denial, or twice.
        </p>
      )
    case "running":
      return <Progress since={verifying.since} />
    case "problem":
      return (
        <Notice tone="no" title="The audit trail was not verified.">
          {verifying.problem.detail}
        </Notice>
      )
    case "done":
      return <Report report={verifying.report} at={verifying.at} tookMs={verifying.tookMs} />
  }
}

function Progress({ since }: { readonly since: number }): ReactNode {
  const now = useNow()
  return (
    <>
      <p>Checking the audit trail…</p>
      <progress className={look.progress} aria-label="Verifying the audit trail" />
      <p className="aside" aria-hidden="true">
        {now - since < 2_000
          ? "This takes a moment."
          : `${lengthInWords(now - since)} so far. A long trail can take minutes.`}
      </p>
    </>
  )
}

type ReportProps = { readonly report: AuditReportView; readonly at: number; readonly tookMs: number }

function Report({ report, at, tookMs }: ReportProps): ReactNode {
  return (
    <>
      <div className={look.verdict}>
        <Stamp tone={report.ok ? "yes" : "no"}>{report.ok ? "Intact" : "Broken"}</Stamp>
        <p>
          <strong>
            {report.ok
              ? "The audit trail is intact."
              : `The audit trail is not intact: ${countInWords(report.problemCount, "problem")}.`}
          </strong>{" "}
          {checkedInWords(report)}
        </p>
      </div>
      {!report.ok && <Problems report={report} />}
      {notesOf(report).map((note) => (
        <p key={note} className="aside">
          {note}
        </p>
      ))}
      <p className="aside">
        Verified <Ago at={at} />, in {tookInWords(tookMs)}.
      </p>
      <Heads report={report} />
    </>
  )
}

function Problems({ report }: { readonly report: AuditReportView }): ReactNode {
  const found = foundProblems(report)
  return (
    <ul className={look.problems}>
      {found.map(({ sentence, where, call }) => (
        <li key={`${where} ${call} ${sentence}`}>
          <ShownText text={sentence} /> {where !== null && <code className="soft">{where}</code>}{" "}
          {call !== null && (
            <Link to="/activity/$id" params={{ id: call }}>
              The call
            </Link>
          )}
        </li>
      ))}
      {report.problemCount > found.length && (
        <li>{`And ${countInWords(report.problemCount - found.length, "more", "more")}.`}</li>
      )}
    </ul>
  )
}

function Heads({ report: { heads } }: { readonly report: AuditReportView }): ReactNode {
  if (heads.length === 0) return null
  return (
    <details className={look.heads}>
      <summary>{countInWords(heads.length, "chain head", "chain heads")}</summary>
      <p className="aside">
        Store these elsewhere: only they can later show that the whole trail was rolled back to an earlier state.
      </p>
      <ul>
        {heads.map(({ writer, seq, hash }) => (
          <li key={writer}>
            <code>{`${writer}/${seq} ${hash}`}</code>
          </li>
        ))}
      </ul>
    </details>
  )
}
