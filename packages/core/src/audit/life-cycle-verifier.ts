/**
 * Verifies the life of every call from the types and steps of its records alone.
 *
 * I1. Nothing runs that was not allowed by policy, or asked and then approved.
 * I2. Nothing runs after a refusal.
 * I3. Nothing runs twice.
 * I4. A call begins with its judgement, at step 0; no two of its records have the same step; nothing follows its end.
 */
import { type AuditProblem, createProblemList, type ProblemList } from "./audit-problem.ts"
import type { AuditRecord, AuditType } from "./record.ts"

export type LifeCycleRow = Pick<AuditRecord, "subject" | "step" | "type">

export type LifeCycleReport = {
  readonly subjects: number
  readonly problems: readonly AuditProblem[]
  readonly problemCount: number
  /** Judged calls that may still come to something, or whose outcome was never recorded. */
  readonly unfinished: number
}

export type LifeCycleVerifier = {
  /** Rows of one subject come together, in the order of their steps. */
  readonly push: (rows: readonly LifeCycleRow[]) => void
  readonly end: () => LifeCycleReport
}

/** `lost`: the beginning is missing, so what follows cannot be judged; that has been reported once. */
type Stage = "unjudged" | "allowed" | "asked" | "approved" | "running" | "refused" | "settled" | "lost"

const settlements: ReadonlyArray<readonly [AuditType, Stage]> = [
  ["run.succeeded", "settled"],
  ["run.failed", "settled"],
  ["run.unknown", "settled"],
]
const refusals: ReadonlyArray<readonly [AuditType, Stage]> = [
  ["approval.denied", "refused"],
  ["approval.expired", "refused"],
  ["approval.cancelled", "refused"],
  ["approval.superseded", "refused"],
]

const nextStages: { readonly [stage in Stage]: ReadonlyMap<string, Stage> } = {
  unjudged: new Map<string, Stage>([
    ["call.allowed", "allowed"],
    ["call.asked", "asked"],
    ["call.denied", "refused"],
    ["call.hidden", "refused"],
  ]),
  allowed: new Map(settlements),
  asked: new Map<string, Stage>([
    ["approval.voted", "asked"],
    ["approval.extended", "asked"],
    ["approval.approved", "approved"],
    ...refusals,
  ]),
  approved: new Map<string, Stage>([["run.started", "running"], ...refusals]),
  running: new Map(settlements),
  refused: new Map(),
  settled: new Map(),
  lost: new Map(),
}

const unfinishedStages: ReadonlySet<Stage> = new Set<Stage>(["allowed", "asked", "approved", "running"])

type Life = { readonly subject: string; stage: Stage; step: number }

export function createLifeCycleVerifier(): LifeCycleVerifier {
  const problems = createProblemList()
  let life: Life | undefined
  let subjects = 0
  let unfinished = 0
  const close = (): void => {
    if (life !== undefined && unfinishedStages.has(life.stage)) unfinished++
  }
  return {
    push: (rows) => {
      for (const row of rows) {
        if (row.subject === null) continue
        if (life?.subject !== row.subject) {
          close()
          subjects++
          life = { subject: row.subject, stage: "unjudged", step: -1 }
        }
        follow(life, row, problems)
      }
    },
    end: () => {
      close()
      life = undefined
      return { subjects, problems: problems.first(), problemCount: problems.total(), unfinished }
    },
  }
}

function follow(life: Life, row: LifeCycleRow, problems: ProblemList): void {
  if (life.stage === "lost") return
  const next = nextStages[life.stage].get(row.type)
  const report = (code: AuditProblem["code"], sentence: string): void =>
    problems.add({ code, subject: life.subject, sentence })
  if (next === undefined) {
    const problem = whatIsWrong(life, row.type)
    report(problem.code, problem.sentence)
    if (life.stage === "unjudged") life.stage = "lost"
  } else if (life.stage === "unjudged" && row.step !== 0) {
    report(
      "decision-missing",
      `The call ${life.subject} begins at step ${row.step}; what was recorded before is missing.`,
    )
  } else if (row.step <= life.step) {
    report("step-doubled", `The call ${life.subject} has two records of step ${row.step}; only one can be true.`)
  }
  life.stage = next ?? life.stage
  life.step = row.step
}

function whatIsWrong(life: Life, type: AuditType): Pick<AuditProblem, "code" | "sentence"> {
  const name = `The call ${life.subject}`
  const isRun = type.startsWith("run.")
  switch (life.stage) {
    case "unjudged":
    case "lost":
      return isRun
        ? { code: "run-without-leave", sentence: `${name} ran (${type}) though nobody ever decided about it.` }
        : {
            code: "decision-missing",
            sentence: `${name} begins with ${type}: the record of how it was judged is missing.`,
          }
    case "asked":
      if (isRun) return { code: "run-without-leave", sentence: `${name} ran (${type}) before anyone had approved it.` }
      break
    case "approved":
      if (isRun) return { code: "run-without-leave", sentence: `${name} has an outcome (${type}) but never started.` }
      break
    case "refused":
      return isRun
        ? { code: "run-after-refusal", sentence: `${name} was refused, and ran all the same (${type}).` }
        : { code: "record-after-end", sentence: `${name} was refused, and ${type} was recorded after that.` }
    case "settled":
      return isRun
        ? { code: "second-run", sentence: `${name} has more than one run or outcome (${type} after it had settled).` }
        : { code: "record-after-end", sentence: `${name} had settled, and ${type} was recorded after that.` }
    case "allowed":
    case "running":
      if (type === "run.started") return { code: "second-run", sentence: `${name} started running twice.` }
  }
  return {
    code: "record-unexpected",
    sentence: `${name} has a record ${type} that cannot follow what was recorded before.`,
  }
}
