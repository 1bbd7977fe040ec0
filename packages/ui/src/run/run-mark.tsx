import type { RunSummaryView } from "@byleave/api"
import type { ReactNode } from "react"
import { Mark } from "../parts/mark.tsx"
import { runStateOf, runStateWords } from "./run-words.ts"

/** How a run stands. */
export function RunMark({ run }: { readonly run: RunSummaryView }): ReactNode {
  const { label, tone } = runStateWords[runStateOf(run)]
  return <Mark tone={tone}>{label}</Mark>
}
