/**
 * Requests of this page, signed with the browser's key.
 *
 * A clock that runs wrong would make every proof too old or too new. The service says its time with every answer, so a refused proof is made
 * once more by that time. Nothing is sent twice but what was refused before anything was done.
 */
import type { DeviceKey } from "@byleave/api"
import { signProof } from "@byleave/api/page"
import { endWhenSilent } from "./end-when-silent.ts"

type SignedFetchOptions = {
  readonly key: DeviceKey
  readonly fetch: typeof fetch
  readonly now: () => number
  /** The key is not registered, or no longer. */
  readonly onSignedOut: () => void
}

/** The service beats every 15 seconds; three missed beats are a dead line. */
const silentMs = 45_000
/** Clocks closer than this are not why a proof was refused. */
const closeMs = 5_000

export function signedFetch(options: SignedFetchOptions): typeof fetch {
  let skewMs = 0
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers)
    const body = typeof init.body === "string" ? init.body : ""
    const method = init.method ?? "GET"
    headers.set("dpop", await signProof({ key: options.key, method, url, body, now: options.now() + skewMs }))
    return options.fetch(url, { ...init, headers })
  }
  return async (input, init = {}) => {
    const url = String(input)
    const first = await send(url, init)
    const skewed = await skewOf(first, options.now() + skewMs)
    if (skewed !== 0) skewMs += skewed
    const response = skewed === 0 ? first : await send(url, init)
    if ((await codeOf(response)) === "not-signed-in") options.onSignedOut()
    return isStream(response) ? endWhenSilent(response, silentMs) : response
  }
}

/** By how much the service's clock is ahead of the one a refused proof was made by; 0 when that is not why. */
async function skewOf(response: Response, now: number): Promise<number> {
  if ((await codeOf(response)) !== "bad-proof") return 0
  const theirs = Date.parse(response.headers.get("date") ?? "")
  return Number.isNaN(theirs) || Math.abs(theirs - now) < closeMs ? 0 : theirs - now
}

async function codeOf(response: Response): Promise<unknown> {
  if (response.status !== 401) return null
  try {
    const problem: unknown = await response.clone().json()
    return typeof problem === "object" && problem !== null && "code" in problem ? problem.code : null
  } catch {
    return null
  }
}

function isStream(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("text/event-stream") === true
}
