import type { RunView } from "@byleave/api"

export type RunFilter = "" | RunView["status"]

/** The filters of the list. The service counts exported runs among the cancelled ones. */
export const runFilters = [
  { value: "", label: "All" },
  { value: "paused", label: "Needs approval" },
  { value: "running", label: "Running" },
  { value: "finished", label: "Finished" },
  { value: "failed", label: "Failed" },
  { value: "cancelled", label: "Cancelled or exported" },
] as const satisfies ReadonlyArray<{ readonly value: RunFilter; readonly label: string }>

/** As the address names it; anything else narrows nothing. */
export function readRunFilter(search: Readonly<Record<string, unknown>>): RunFilter {
  return runFilters.find(({ value }) => value === search.status)?.value ?? ""
}
