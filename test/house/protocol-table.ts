/** The table of methods as docs/protocol.md shows it. */
import { elicitationMembers } from "../../packages/gateway/src/relay/talk/final-reply.ts"
import { errorCode } from "../../packages/gateway/src/wire/errors.ts"
import type { Handling, MethodRow } from "../../packages/gateway/src/wire/methods/method-row.ts"
import { methodTable } from "../../packages/gateway/src/wire/methods/methods.ts"
import type { ParamShape, ParamShapes } from "../../packages/gateway/src/wire/methods/params.ts"

const parts = [
  { from: "client", form: "request", title: "Requests from clients" },
  { from: "client", form: "notification", title: "Notifications from clients" },
  { from: "server", form: "request", title: "Requests from servers" },
  { from: "server", form: "notification", title: "Notifications from servers" },
] as const

const handlingWords = {
  here: "handled by Byleave",
  judged: "decided by policy",
  listed: "forwarded; entries that policy hides are removed from the answer",
  relayed: "forwarded",
  dropped: "dropped",
} as const satisfies Record<Handling, string>

export function protocolTables(): string {
  return [...parts.map(({ from, form, title }) => table(title, rowsOf(from, form))), errorTable()].join("\n\n")
}

/** Errors go by code; the one that asks something is judged as the question it is. */
function errorTable(): string {
  return [
    "## Errors from servers",
    "",
    "| code | handling | members that are forwarded | recorded |",
    "|---|---|---|---|",
    `| \`${errorCode.urlElicitationRequired}\` (URL elicitation required) | decided by policy if a rule matches the elicitation, else forwarded | all; of what policy decided on: \`message\`, and in \`data.elicitations\` \`mode\`, ${elicitationMembers.map((name) => `\`${name}\``).join(", ")} | if a rule matches |`,
    "| others | forwarded | all | no |",
  ].join("\n")
}

function rowsOf(from: MethodRow["from"], form: MethodRow["form"]): readonly MethodRow[] {
  return methodTable.filter((row) => row.from === from && row.form === form)
}

function table(title: string, rows: readonly MethodRow[]): string {
  const lines = rows.map((row) => {
    const cells = [
      `\`${row.method}\``,
      [...new Set(row.revisions)].join(" to "),
      judgedWords(row),
      paramWords(row),
      recordWords(row),
    ]
    return `| ${cells.join(" | ")} |`
  })
  return [
    `## ${title}`,
    "",
    "| method | revisions | handling | params that are forwarded | recorded |",
    "|---|---|---|---|---|",
    ...lines,
  ].join("\n")
}

function judgedWords({ handling, judgedAs = [], form }: MethodRow): string {
  const kinds = judgedAs.join(" or ")
  if (handling === "here" && kinds !== "")
    return `${handlingWords.here}; policy decides on each ${kinds} that a rule matches`
  if (handling !== "judged") return handlingWords[handling]
  if (form === "notification" && kinds === "elicitation") return "forwarded unless policy hides or denies elicitation"
  if (form === "notification") return `forwarded to clients that may see the ${kinds}`
  return kinds === "tool" ? "decided by policy" : `decided by policy if a rule matches the ${kinds}, else forwarded`
}

function paramWords({ params, handling, from }: MethodRow): string {
  if (handling === "here" || handling === "dropped") return "none"
  if (params === undefined) return from === "server" ? "all" : "none"
  return ["`_meta`", ...names(params, "")].join(", ")
}

function names(params: ParamShapes, path: string): readonly string[] {
  return Object.entries(params).flatMap(([name, shape]: [string, ParamShape]) =>
    typeof shape.is === "object" ? names(shape.is, `${path}${name}.`) : [`\`${path}${name}\``],
  )
}

function recordWords({ handling, judgedAs = [], form }: MethodRow): string {
  const isJudged = handling === "judged" || (handling === "here" && judgedAs.length > 0)
  if (!isJudged || form === "notification") return "no"
  return judgedAs.includes("tool") ? "yes" : "if a rule matches"
}
