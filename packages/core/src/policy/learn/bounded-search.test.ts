import { expect, it } from "vitest"
import type { JsonObject } from "../../call/json/json.ts"
import type { WorkSteps } from "../../call/steps.ts"
import { writes } from "../fixtures/questions.ts"
import { emptyPolicy } from "../rules/rule.ts"
import type { AnsweredCall } from "./answered-call.ts"
import { reportObserved } from "./observed-report.ts"
import { suggestRules } from "./suggest-rules.ts"

const hour = 3_600_000
const known = { policy: emptyPolicy, grants: [], factsOf: () => writes, now: 5_000 * hour }

const call = (at: number, args: JsonObject, tool = "write_file", answer: AnsweredCall["answer"] = "approve") => ({
  ...{ id: `c${at}`, at: at * hour, tool: { server: "files", tool }, principal: "ann", session: `s${at % 7}`, args },
  ...({ answer, remember: "allowed", alone: true } as const),
})

/** How many steps work takes; `most`: after so many its time is over. */
function taken<Result>(steps: WorkSteps<Result>, most = Number.POSITIVE_INFINITY) {
  for (let count = 0; ; count++) {
    const step = steps.next(count >= most)
    if (step.done === true) return { count, result: step.value }
  }
}
const suggest = (answered: readonly AnsweredCall[]) => taken(suggestRules({ ...known, answered }))

/** Paths that lie in a folder of their own each. */
const scattered = (at: number, paths: number) =>
  Array.from({ length: paths }, (_, nth) => `/srv/d${at}/e${nth}/f${nth}.md`)
const together = (at: number, paths: number) => Array.from({ length: paths }, (_, nth) => `/srv/docs/f${at}-${nth}.md`)
const times = <Item>(count: number, make: (at: number) => Item) => Array.from({ length: count }, (_, at) => make(at))

it("I8: calls with many paths are no evidence of a rule, and take no more steps than others", () => {
  const few = suggest(times(40, (at) => call(at, { paths: together(at, 20) })))
  expect(few.result.suggestions).toHaveLength(1)
  const many = suggest(times(40, (at) => call(at, { paths: together(at, 21) })))
  expect(many.result.suggestions).toEqual([])
  expect(suggest(times(40, (at) => call(at, { paths: scattered(at, 480) }))).count).toBeLessThan(40 * 10)
})

it.each([
  ["paths in folders of their own", (at: number) => ({ paths: scattered(at, 20) })],
  ["a folder for each call", (at: number) => ({ path: `/srv/d${at}/f.md` })],
  ["a few folders", (at: number) => ({ path: `/srv/d${at % 40}/f${at}.md` })],
  ["an argument of its own for each call", (at: number) => ({ [`n${at}`]: "x", path: `/srv/docs/f${at}.md` })],
  ["twelve values", (at: number) => Object.fromEntries(times(12, (nth) => [`n${nth}`, `v${(at + nth) % 8}`]))],
] as const)("I8: four times as many calls take about four times as many steps: %s", (_, argsOf) => {
  const steps = (count: number) => suggest(times(count, (at) => call(at, argsOf(at), `write_file${at % 20}`))).count
  expect(steps(1_600)).toBeLessThan(steps(400) * 5)
})

it("I8: four times as many calls take about four times as many steps: denied beside allowed ones in every folder", () => {
  const answer = (at: number) => {
    const folder = `/srv/work/d${Math.floor(at / 5)}`
    return at % 5 === 0
      ? call(at, { path: `${folder}/f.txt` })
      : call(at, { path: `${folder}/f${at}.md` }, "write_file", "deny")
  }
  const steps = (count: number) => suggest(times(count, answer)).count
  expect(steps(2_000)).toBeLessThan(steps(500) * 5)
})

it("I8: when time runs out, what was found is told, and that it is not all", () => {
  const answered = [
    ...times(5, (at) => call(at, { path: `/srv/docs/f${at}.md` }, "save_note")),
    ...times(400, (at) => call(5 + at, { path: `/srv/d${at % 40}/f${at}.md` })),
  ]
  const whole = suggest(answered)
  expect(whole.result).toMatchObject({ isCut: false })
  const part = taken(suggestRules({ ...known, answered }), Math.floor(whole.count * 0.6))
  expect(part.result.isCut).toBe(true)
  expect(part.result.suggestions.map(({ tool }) => tool.tool)).toEqual(["save_note"])
  expect(part.count).toBeLessThan(whole.count)
  expect(whole.result.suggestions.length).toBeGreaterThan(1)
})

it("I5: the report on observed calls takes steps for each call, and says when time ran out", () => {
  const report = (count: number, most?: number) => {
    const observed = times(count, (at) => call(at, { paths: scattered(at, 20) }, `write_file${at % 20}`))
    return taken(reportObserved({ ...known, observed, answered: [] }), most)
  }
  const [few, many] = [report(200), report(800)]
  expect(many.count).toBeGreaterThan(800 * 3)
  expect(many.count).toBeLessThan(few.count * 5)
  expect(many.result).toMatchObject({ wouldAsk: 800, areRulesCut: false })
  expect(report(200, 1).result).toMatchObject({ wouldAsk: 200, areRulesCut: true, rules: [] })
})
