import type { Change } from "@byleave/core"

export const steps = ["submitting", "deciding", "claiming", "settling", "appending"] as const
export type Step = (typeof steps)[number]

/** Dies at the nth time it comes to this point. `watched`: the parent kills it as it hears that the step began. */
export type KillPlan = {
  readonly step: Step
  readonly phase: "before" | "during" | "after" | "watched"
  readonly nth: number
}

const phases = ["before", "during", "after", "watched"] as const

/** Every step in every phase, over and over, at varying depths into the work. */
export function killPlan(n: number): KillPlan {
  const step = steps[n % steps.length] ?? "submitting"
  const phase = phases[Math.floor(n / steps.length) % phases.length] ?? "before"
  return { step, phase, nth: 1 + ((n * 7) % 11) }
}

/** Which step of the walk a change is, judged by what it writes. */
export function stepOf(change: Change): Step | null {
  const [moved] = change.approvals ?? []
  if (moved === undefined) return change.durability === "soon" && change.records.length > 0 ? "appending" : null
  if (moved.replaces === null) return "submitting"
  switch (moved.next.status) {
    case "approved":
      return "deciding"
    case "running":
      return "claiming"
    case "succeeded":
      return "settling"
    default:
      return null
  }
}
