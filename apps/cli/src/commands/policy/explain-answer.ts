import type { ExplanationView } from "@byleave/api"
import { type Effect, showText, type TargetKind } from "@byleave/core"
import { type Paint, sentenceLines } from "../../terminal/paint.ts"

/** The source of the explanation: the running service, or a file alone. */
export type ExplainQuestion = { readonly service: string } | { readonly file: string }

/** The call in question, as it was written. */
export type AskedCall = {
  readonly server: string
  readonly tool: string
  readonly kind: TargetKind
  readonly principal: string
  readonly session: string | null
  readonly hasArgs: boolean
}

/** The output of `explain` with `--json`; the same facts make the text for people. */
export type ExplainedCall = Omit<ExplanationView, "effect"> &
  Omit<AskedCall, "hasArgs"> & {
    readonly asked: ExplainQuestion
    readonly decision: Effect
    readonly rule: { readonly text: string; readonly where: string } | null
    readonly notes: readonly string[]
  }

/** `notes`: the facts that the service or file does not know. */
export function answerOf(
  { effect, ...explained }: ExplanationView,
  { hasArgs, ...call }: AskedCall,
  asked: ExplainQuestion,
  notes: readonly string[],
): ExplainedCall {
  const rule = explained.matched.find(({ of, decided }) => of === "rule" && decided)
  const isUnjudged = !hasArgs && explained.matched.some(({ judged }) => judged === "unjudged")
  return {
    ...call,
    asked,
    decision: effect,
    rule: rule === undefined ? null : { text: rule.text, where: rule.where },
    ...explained,
    notes: [...notes, ...(isUnjudged ? ["Without --args, rules with conditions cannot be evaluated."] : [])],
  }
}

/** Facts that a file alone cannot tell. */
export function fileNotes({ access, accessFrom }: ExplanationView): readonly string[] {
  const notes = [
    "Permissions, limits and accepted definitions of a running Byleave are not considered; the tool is treated as accepted.",
  ]
  if (accessFrom !== null && accessFrom !== "classify") {
    notes.push(
      `The server was not asked for its tools: access is ${access} ${accessGrounds[accessFrom]}. Add a \`classify\` rule to set it.`,
    )
  }
  return notes
}

const accessGrounds = {
  annotation: "by the server's annotation",
  classify: "by a `classify` rule",
  default: "by default",
  name: "judging by its name",
} as const

const pinWords = {
  accepted: "accepted",
  changed: "changed since it was accepted",
  new: "new, not accepted yet",
  rejected: "rejected",
  quarantined: "quarantined",
  unpinned: "changes not tracked",
} as const satisfies Record<NonNullable<ExplanationView["pin"]>, string>

const decisionStyle = { hide: "red", deny: "red", ask: "yellow", allow: "green" } as const

/** The answer for people, one fact per line. */
export function answerText(answer: ExplainedCall, paint: Paint): string {
  const ruleLine = ({ text, where, why = null }: { text: string; where: string; why?: string | null }) =>
    `${text}  (${where})${why === null ? "" : `: ${why}`}`
  const others = answer.matched.filter(({ decided }) => !decided).map(ruleLine)
  const isListed = answer.matched.some(({ id }) => id === answer.nearest?.id)
  const rows: ReadonlyArray<readonly [string, readonly string[]]> = [
    ["why", [answer.reason]],
    ["rule", answer.rule === null ? [] : [ruleLine(answer.rule)]],
    ["also matches", others],
    ["closest", isListed || answer.nearest === null ? [] : [ruleLine(answer.nearest)]],
    ["access", answer.access === null ? [] : [answer.access]],
    ["definition", answer.pin === null || "file" in answer.asked ? [] : [pinWords[answer.pin]]],
    ["mode", [answer.mode]],
    ["to change", answer.wouldChange],
    [
      "source",
      ["service" in answer.asked ? `the running service at ${answer.asked.service}` : showText(answer.asked.file)],
    ],
    ["note", answer.notes],
  ]
  const head = `${paint("bold", showText(`${answer.server}(${answer.tool})`))} ${paint(decisionStyle[answer.decision], answer.decision)}\n`
  const lines = rows.flatMap(([label, values]) =>
    values.map((value) => `  ${label.padEnd(13)} ${sentenceLines(value)}\n`),
  )
  return head + lines.join("")
}
