/** This version's cost per call beside that of an earlier one, in one run. */
import { buildEarlier } from "../../scripts/earlier.ts"
import { apart } from "../apart.ts"
import { type Row, tableOf } from "../row.ts"
import type { TargetNumbers } from "./field.ts"
import { type Summary, summaries } from "./summary.ts"
import { byleaveName, earlierName } from "./targets.ts"

const mostOfEarlier = 1.05

/** Builds the commit in a folder of its own first, with its own dependencies. */
export function compareWithEarlier(commit: string): string {
  const { sha, program } = buildEarlier(commit)
  process.env.BENCH_EARLIER = program
  console.error(`measuring: Byleave beside ${sha}`)
  const all = summaries(apart<readonly TargetNumbers[]>("gateway/field.ts", "measureField", "earlier", "lean", "full"))
  const ours = all.find(({ name }) => name === byleaveName)
  const earlier = all.find(({ name }) => name === earlierName)
  const problem = ours?.problem ?? earlier?.problem ?? null
  if (ours === undefined || earlier === undefined || problem !== null)
    throw new Error(problem ?? "Nothing was measured.")
  return `
## Beside ${sha}

${tableOf([
  ratioRow("CPU per call, one after another", earlier.ours, [ours, earlier], "cpu"),
  ratioRow("CPU per call, 16 clients", earlier.ours16, [ours, earlier], "cpu16"),
])}`
}

function ratioRow(what: string, ratio: number, [ours, earlier]: [Summary, Summary], key: "cpu" | "cpu16"): Row {
  return {
    what,
    reach: `≤ ${mostOfEarlier} × the earlier version's`,
    measured: `${ratio.toFixed(3)} (${ours[key].toFixed(3)} ms against ${earlier[key].toFixed(3)} ms)`,
    reached: ratio <= mostOfEarlier,
  }
}
