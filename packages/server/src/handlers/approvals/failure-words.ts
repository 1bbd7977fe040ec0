import type { ApiService } from "../../service.ts"
import { failureIn, longestRead } from "../../show/failure-words.ts"

/** Servers' words about these calls, which failed, by the call's id. A call whose error says nothing, or is no longer kept, is left out. */
export async function failureWords(
  { store }: ApiService,
  calls: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (calls.length === 0) return new Map()
  const payloads = { upTo: longestRead }
  const records = await store.records({ subjects: calls, types: ["run.failed"], limit: calls.length, payloads })
  return new Map(
    records.flatMap(({ subject, payload }) => {
      const words = failureIn(payload)
      return subject === null || words === null ? [] : [[subject, words] as const]
    }),
  )
}
