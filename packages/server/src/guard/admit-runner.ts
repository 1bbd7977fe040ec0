import type { RunnerIdentity } from "../credentials/identify.ts"
import { isRefused, type RefusedRequest, refuse } from "../refused.ts"
import type { ApiService } from "../service.ts"
import { readWithin } from "./read-body.ts"

/**
 * A request of a program that runs agents, when it is its turn to begin: its token as it is by then, and its body. Null: its token is nobody's, or
 * was revoked while it was read or waited.
 */
export async function admitRunner(
  {
    credentials,
    runnerBodies,
    runnerStarts,
    unread,
  }: Pick<ApiService, "credentials" | "runnerBodies" | "runnerStarts" | "unread">,
  request: Request,
  most: number,
): Promise<{ readonly runner: RunnerIdentity; readonly text: string } | RefusedRequest | null> {
  const authorization = request.headers.get("authorization") ?? undefined
  const asking = await credentials.identify.runner(authorization)
  if (asking === null) return null
  unread.asks(request, asking.token)
  const text = await readWithin(runnerBodies, asking.token, request, most)
  if (isRefused(text)) return text
  if (!(await runnerStarts.begin(asking.token, { bytes: text.length }))) return refuse("too-many-reads", tooManyWords)
  const runner = await credentials.identify.runner(authorization)
  return runner === null ? null : { runner, text }
}

const tooManyWords =
  "Too many requests of yours are waiting here. Nothing was done. Try again once some of them are answered."
