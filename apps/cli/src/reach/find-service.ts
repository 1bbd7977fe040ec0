import { timingSafeEqual } from "node:crypto"
import { createClient, type HelloView } from "@byleave/api"
import { Option } from "commander"
import { isFolderLocked } from "../files/folder-lock.ts"
import { newChallenge, proofOf, readChallengeSecret } from "./challenge.ts"
import { originOf } from "./origin-of.ts"
import { readServiceFile } from "./service-file.ts"

/** `--url`, the same for every command that speaks with a service. */
export function urlOption(): Option {
  return new Option("--url <address>", "service address (default: the one running on the data folder)")
}

/** A running service that has proved to be the one of this data folder. */
export type FoundService = {
  readonly url: string
  readonly data: string
  readonly hello: HelloView
  /** Of the process; null when the address was given by hand. */
  readonly pid: number | null
}

/** `busy`: it is there, and does not get to answer. */
export type NotFound = {
  readonly code: "not-running" | "not-ours" | "busy"
  /** The problem and what to do about it: for people. */
  readonly missing: string
}

export type Where = {
  readonly data: string
  readonly url?: string | undefined
  readonly fetch?: typeof fetch
  readonly timeoutMs?: number
}

/** The service of a data folder, checked by challenge: something else may have taken its port since. */
export async function findService({ data, url, fetch, timeoutMs = 5_000 }: Where): Promise<FoundService | NotFound> {
  const file = readServiceFile(data)
  const address = originOf(url ?? file?.url)
  const secret = readChallengeSecret(data)
  if (address === undefined || secret === undefined) return notRunning(data, url)
  const challenge = newChallenge()
  const hello = await ask(address, challenge, fetch, timeoutMs)
  if (hello === "late" && isFolderLocked(data, "service")) return busy(address)
  if (hello === undefined || hello === "late") return notRunning(data, address)
  if (!isProof(hello.proof, proofOf(secret, challenge, address))) return notOurs(data, address, file?.url)
  return { url: address, data, hello, pid: url === undefined ? (file?.pid ?? null) : null }
}

async function ask(
  url: string,
  challenge: string,
  own: typeof fetch | undefined,
  timeoutMs: number,
): Promise<HelloView | "late" | undefined> {
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const client = createClient({ url, ...(own === undefined ? {} : { fetch: own }) })
    const reply = await client.hello({ query: { challenge, address: url }, signal })
    return reply.ok ? reply.value : undefined
  } catch {
    // No program answers, or not as Byleave does.
    return signal.aborted ? "late" : undefined
  }
}

function isProof(given: string | null, expected: string): boolean {
  if (given === null || given.length !== expected.length) return false
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected))
}

function notRunning(data: string, url: string | undefined): NotFound {
  const where = url === undefined ? `for ${data}` : `at ${url}`
  return {
    code: "not-running",
    missing: `Byleave is not running ${where}. Start it with \`byleave serve\`, or specify another with --data or --url.`,
  }
}

function busy(url: string): NotFound {
  const missing = `The service at ${url} is running, and too busy to answer in time. Try again in a moment.`
  return { code: "busy", missing }
}

/** The exit code of a command that needs the service. */
export function exitCodeOf({ code }: NotFound): 1 | 3 {
  return code === "busy" ? 1 : 3
}

function notOurs(data: string, url: string, known: string | undefined): NotFound {
  const there = known === undefined || known === url ? "" : ` It reports its address as ${known}.`
  return {
    code: "not-ours",
    missing: `The service at ${url} is not the Byleave of ${data}, or that is not its own address.${there} Start yours with \`byleave serve\`, specify its folder with --data, or add the host name you use to \`hosts:\` in its configuration.`,
  }
}
