import { type Row, tableOf } from "../row.ts"
import { promptsPerHundred, simulateWeek, type WeekResult } from "./simulate.ts"
import { type Week, weeks } from "./weeks.ts"

const runsPerWeek = 8

/** One kind of week, several times with other numbers. */
function measureWeek(week: Week): readonly WeekResult[] {
  return Array.from({ length: runsPerWeek }, (_, at) => simulateWeek(week, week.seed + 100 * at))
}

export function measureFatigue(): string {
  const measured = weeks.map((week) => ({ name: week.name, runs: measureWeek(week) }))
  const lines = measured.map(({ name, runs }) => {
    const worst = Math.max(...runs.map((run) => onDay(run, 7)))
    const cells = [
      name,
      mean(runs.map(callsOf)),
      ...[1, 3, 5, 7].map((day) => mean(runs.map((run) => onDay(run, day)))),
      Math.round(worst),
      runs.reduce((sum, run) => sum + ranWrongly(run), 0),
      runs.reduce((sum, run) => sum + refusedWrongly(run), 0),
      mean(runs.map(({ rules }) => rules.length)),
    ]
    return `| ${cells.join(" | ")} |`
  })
  return `${tableOf(measured.map(rowOf))}
| week | calls | prompts per 100 calls: day 1 | day 3 | day 5 | day 7 | worst day 7 | ran, would have been denied | refused, would have been allowed | rules |
|---|---|---|---|---|---|---|---|---|---|
${lines.join("\n")}
`
}

function rowOf({ name, runs }: { readonly name: string; readonly runs: readonly WeekResult[] }): Row {
  const day7 = runs.reduce((sum, run) => sum + onDay(run, 7), 0) / runs.length
  const wrong = runs.reduce((sum, run) => sum + ranWrongly(run), 0)
  return {
    what: `prompts per 100 calls on day 7: ${name}`,
    reach: "≤ 5, none wrong",
    measured: `${day7.toFixed(1)} (day 1: 100), ${wrong} wrong`,
    reached: day7 <= 5 && wrong === 0,
  }
}

function onDay({ days }: WeekResult, day: number): number {
  const count = days[day - 1]
  return count === undefined ? 0 : promptsPerHundred(count)
}

function callsOf({ days }: WeekResult): number {
  return days.reduce((sum, { calls }) => sum + calls, 0)
}

function ranWrongly({ days }: WeekResult): number {
  return days.reduce((sum, day) => sum + day.ranWrongly.length, 0)
}

function refusedWrongly({ days }: WeekResult): number {
  return days.reduce((sum, day) => sum + day.refusedWrongly.length, 0)
}

function mean(numbers: readonly number[]): string {
  return (numbers.reduce((sum, number) => sum + number, 0) / numbers.length).toFixed(0)
}
