import {
  type Decision,
  type Effect,
  type Explanation,
  type Mode,
  type Question,
  showText,
  type TargetKind,
  type ToolFacts,
} from "@byleave/core"
import { type Paint, sentenceLines } from "../paint.ts"

/** What `explain` prints with `--json`; the same facts make the text for people. */
export type Answer = Pick<Explanation, "reason" | "matched" | "nearest" | "wouldChange"> &
  Pick<Decision, "approvals" | "reviewers" | "remember" | "wait" | "wouldAsk"> & {
    readonly server: string
    readonly tool: string
    readonly kind: TargetKind
    readonly decision: Effect
    readonly rule: { readonly text: string; readonly where: string } | null
    /** Null for what is not a tool. */
    readonly access: ToolFacts["access"] | null
    readonly accessFrom: ToolFacts["accessFrom"] | null
    readonly mode: Mode
    readonly principal: string
    readonly session: string | null
    /** The policy's version. */
    readonly policy: string
    readonly notes: readonly string[]
  }

export function answerOf(explanation: Explanation, question: Question, policyVersion: string): Answer {
  const { decision, reason, matched, nearest, wouldChange } = explanation
  const rule = matched.find(({ of, decided }) => of === "rule" && decided)
  return {
    server: question.target.server,
    tool: question.target.name,
    kind: question.target.kind,
    decision: decision.effect,
    rule: rule === undefined ? null : { text: rule.text, where: rule.where },
    access: question.tool?.access ?? null,
    accessFrom: question.tool?.accessFrom ?? null,
    reason,
    matched,
    nearest,
    wouldChange,
    approvals: decision.approvals,
    reviewers: decision.reviewers,
    remember: decision.remember,
    wait: decision.wait,
    wouldAsk: decision.wouldAsk,
    mode: question.state.mode,
    principal: question.principal.id,
    session: question.session.named ? question.session.id : null,
    policy: policyVersion,
    notes: notesOf(explanation, question),
  }
}

/** What this answer cannot know. */
function notesOf({ matched }: Explanation, question: Question): readonly string[] {
  const notes = [
    "Remembered answers, limits and pins of a running Byleave are not looked at; the tool counts as accepted.",
  ]
  if (question.tool !== undefined && question.tool.accessFrom !== "classify") {
    notes.push(
      `The server was not asked for its tools: access is ${question.tool.access} ${accessGrounds[question.tool.accessFrom]}. A \`classify\` rule would settle it.`,
    )
  }
  if (question.args === undefined && matched.some(({ judged }) => judged === "unjudged"))
    notes.push("No arguments were given: rules with conditions cannot be judged. Add --args.")
  return notes
}

const accessGrounds = {
  annotation: "by the server's annotation",
  classify: "by a `classify` rule",
  default: "because nothing says that it only reads",
  name: "by its name alone",
} as const

const decisionStyle = { hide: "red", deny: "red", ask: "yellow", allow: "green" } as const

/** The answer for people, one fact per line. */
export function answerText(answer: Answer, paint: Paint): string {
  const ruleLine = ({ text, where, why = null }: { text: string; where: string; why?: string | null }) =>
    `${text}  (${where})${why === null ? "" : `: ${why}`}`
  const others = answer.matched.filter(({ decided }) => !decided).map(ruleLine)
  const isListed = answer.matched.some(({ id }) => id === answer.nearest?.id)
  const rows: ReadonlyArray<readonly [string, readonly string[]]> = [
    ["why", [answer.reason]],
    ["rule", answer.rule === null ? [] : [ruleLine(answer.rule)]],
    ["also about it", others],
    ["nearest", isListed || answer.nearest === null ? [] : [ruleLine(answer.nearest)]],
    ["access", answer.access === null ? [] : [answer.access]],
    ["mode", [answer.mode]],
    ["would change", answer.wouldChange],
    ["note", answer.notes],
  ]
  const head = `${paint("bold", showText(`${answer.server}(${answer.tool})`))} ${paint(decisionStyle[answer.decision], answer.decision)}\n`
  const lines = rows.flatMap(([label, values]) =>
    values.map((value) => `  ${label.padEnd(13)} ${sentenceLines(value)}\n`),
  )
  return head + lines.join("")
}
