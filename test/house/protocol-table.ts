/** The table of methods as docs/protocol.md shows it. */
import type { Handling, MethodRow } from "../../packages/gateway/src/wire/method-row.ts"
import { methodTable } from "../../packages/gateway/src/wire/methods.ts"
import type { ParamShape, ParamShapes } from "../../packages/gateway/src/wire/params.ts"

const parts = [
  { from: "client", form: "request", title: "What clients ask" },
  { from: "client", form: "notification", title: "What clients say" },
  { from: "server", form: "request", title: "What servers ask" },
  { from: "server", form: "notification", title: "What servers say" },
] as const

const handlingWords = {
  here: "answered or used by Byleave",
  judged: "judged",
  listed: "passes; what policy hides is taken out of the answer",
  relayed: "passes",
  dropped: "goes no further",
} as const satisfies Record<Handling, string>

export function protocolTables(): string {
  return parts.map(({ from, form, title }) => table(title, rowsOf(from, form))).join("\n\n")
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
    "| method | revisions | what is done | params that go on | recorded |",
    "|---|---|---|---|---|",
    ...lines,
  ].join("\n")
}

function judgedWords({ handling, judgedAs = [], form }: MethodRow): string {
  const kinds = judgedAs.join(" or ")
  if (handling === "here" && kinds !== "")
    return `${handlingWords.here}; each ${kinds} is judged where a rule is about it`
  if (handling !== "judged") return handlingWords[handling]
  if (form === "notification") return `passes to whom policy lets know of the ${kinds}`
  return kinds === "tool" ? "judged as a tool" : `judged where a rule is about the ${kinds}, else passes`
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
  return judgedAs.includes("tool") ? "yes" : "where a rule is about it"
}
