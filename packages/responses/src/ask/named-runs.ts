/**
 * The runs that a request names: what has to be read to answer it.
 *
 * I1. No journal is read to find out how much there is to read.
 * I2. A request that names more than can be read at once is refused before anything is read.
 */
import { type OwnRun, ownRun, type ResponsesCaller, type ResponsesWorld } from "../responses-world.ts"
import { readResponseId, runOfItem } from "../wire/ids.ts"
import { wireErrors } from "../wire/wire-error.ts"
import type { ResponsesRequest } from "./request-body.ts"

/** Of all runs that a request names. */
const mostNamedRuns = 1_000

/** Of those that are read, together; one alone may be as large as any. And of the items that are named, as of a whole run. */
export const mostNamedBytes = 64 * 1024 * 1024

/** The caller's runs whose journals are read for the request. */
export async function namedRuns(
  world: ResponsesWorld,
  { previous_response_id: previous, input }: ResponsesRequest,
  caller: ResponsesCaller,
): Promise<readonly OwnRun[]> {
  const before = previous == null ? null : readResponseId(previous)
  const references = input.flatMap((item) => (item.type === "item_reference" ? runOfItem(item.id) : null) ?? [])
  const answered = input.flatMap((item) =>
    item.type === "mcp_approval_response" ? (runOfItem(item.approval_request_id) ?? []) : [],
  )
  const read = new Set([...(before === null ? [] : [before.run]), ...references, ...answered.slice(-1)])
  const named = new Set([...read, ...answered])
  if (named.size > mostNamedRuns)
    throw wireErrors.invalid(`The input names items of more than ${mostNamedRuns} responses.`, "input")
  const runs: OwnRun[] = []
  for (const id of named) {
    const own = await ownRun(world, id, caller)
    if (own !== null && (read.has(id) || own.run.status === "paused")) runs.push(own)
  }
  if (runs.length > 1 && bytesOf(runs) > mostNamedBytes)
    throw wireErrors.invalid("The input names items of responses that are too large to be read together.", "input")
  return runs
}

export function bytesOf(runs: readonly OwnRun[]): number {
  return runs.reduce((sum, { run }) => sum + run.bytes, 0)
}
