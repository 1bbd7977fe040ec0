import type { Check, SuiteResult } from "./run-suite.ts"

export type Difference = {
  readonly scenario: string
  readonly check: string
  readonly direct: Check["status"] | "absent"
  readonly through: Check["status"] | "absent"
  readonly why: string
}

/** Every check whose status is do not match in both; one that only one side made is a difference, too. */
export function compare(direct: SuiteResult, through: SuiteResult): readonly Difference[] {
  const scenarios = [...new Set([...direct.keys(), ...through.keys()])].sort()
  return scenarios.flatMap((scenario) =>
    compareChecks(scenario, byId(direct.get(scenario)), byId(through.get(scenario))),
  )
}

function compareChecks(
  scenario: string,
  direct: ReadonlyMap<string, Check>,
  through: ReadonlyMap<string, Check>,
): readonly Difference[] {
  const ids = [...new Set([...direct.keys(), ...through.keys()])]
  return ids
    .map((check) => ({
      scenario,
      check,
      direct: direct.get(check)?.status ?? ("absent" as const),
      through: through.get(check)?.status ?? ("absent" as const),
      why: through.get(check)?.why ?? "",
    }))
    .filter((difference) => difference.direct !== difference.through)
}

function byId(checks: readonly Check[] = []): ReadonlyMap<string, Check> {
  return new Map(checks.map((check) => [check.id, check]))
}

export function failuresIn(result: SuiteResult): readonly string[] {
  return [...result].flatMap(([scenario, checks]) =>
    checks
      .filter(({ status }) => status === "FAILURE" || status === "WARNING")
      .map(({ id, why }) => `${scenario} ${id}: ${why}`),
  )
}
