import type { ApprovalView } from "@byleave/api"
import { type BatchChoice, statusWords } from "@byleave/ui"
import { useQueries } from "@tanstack/react-query"
import { useClient } from "../../../data/client.tsx"
import { shownBy } from "../../../data/shown-by.ts"
import { read } from "../../../data/use-read.ts"
import { withReads } from "./batch-answers.ts"

/** Answers with their calls as they stand now: each is read again when an event says so, until nothing more can become of it. */
export function useLiveAnswers(answers: readonly BatchChoice[] | null): readonly BatchChoice[] | null {
  const client = useClient()
  const followed = (answers ?? none).filter(({ ok }) => ok)
  const reads = useQueries({
    queries: followed.map(({ approval: { id } }) => ({
      queryKey: [shownBy.getApproval, "getApproval", { params: { id } }],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        read(client, "getApproval", { params: { id } }, signal),
      enabled: (query: { readonly state: { readonly data: ApprovalView | undefined } }) => !isOver(query.state.data),
    })),
  })
  if (answers === null) return null
  return withReads(
    answers,
    reads.flatMap(({ data }) => data ?? []),
  )
}

const none: readonly BatchChoice[] = []

function isOver(approval: ApprovalView | undefined): boolean {
  return approval !== undefined && statusWords(approval)?.isGone === true
}
