import type { Series } from "@byleave/ui"

/** In the order they are stacked, from the foot up. */
export const decisionSeries = [
  { key: "allow", label: "Allowed", fill: "yes" },
  { key: "ask", label: "Needed approval", fill: "wait" },
  { key: "deny", label: "Denied", fill: "no" },
  { key: "hide", label: "Hidden", fill: "quiet" },
] as const satisfies readonly Series[]

export const answerSeries = [
  { key: "approved", label: "Allowed", fill: "yes" },
  { key: "denied", label: "Denied", fill: "no" },
] as const satisfies readonly Series[]

export const askedSeries = [
  ...answerSeries,
  { key: "none", label: "No decision", fill: "wait" },
] as const satisfies readonly Series[]

export const answeredSeries = [{ key: "calls", label: "Decided", fill: "know" }] as const satisfies readonly Series[]
export const refusedSeries = [{ key: "calls", label: "Not run", fill: "no" }] as const satisfies readonly Series[]
export const failedSeries = [{ key: "calls", label: "Failed", fill: "no" }] as const satisfies readonly Series[]
