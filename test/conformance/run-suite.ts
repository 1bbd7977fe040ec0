import { spawn } from "node:child_process"
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

export type SpecVersion = "2025-11-25" | "2026-07-28"
export type Check = {
  /** The check's id; the n-th of the same id within a scenario ends in `#n`. */
  readonly id: string
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO"
  readonly why: string
}
/** What the suite says of each scenario of a revision, in the order it checked. */
export type SuiteResult = ReadonlyMap<string, readonly Check[]>

const require = createRequire(import.meta.url)
const suite = join(dirname(require.resolve("@modelcontextprotocol/conformance/package.json")), "dist/index.js")
/** Notes the suite takes of the traffic: no checks, and as many as there were messages. */
const notes = new Set([
  "outgoing-request",
  "outgoing-response",
  "outgoing-sse-event",
  "outgoing-stream-close",
  "incoming-request",
  "incoming-response",
  "incoming-sse-event",
  "stream-closed",
])

export type SuiteRun = {
  readonly url: string
  readonly version: SpecVersion
  /** How long one scenario may take before it counts as failed. */
  readonly scenarioMs?: number
}

/** Runs all that a revision of the protocol requires of servers, and what the suite runs beside it unscored. */
export function runSuite({ url, version, scenarioMs = 60_000 }: SuiteRun): Promise<SuiteResult> {
  return resultsOf(["server", "--url", url, "--requirements", version, "--timeout", String(scenarioMs)])
}

export type ClientRun = {
  /** Started by the suite, with the address of its server as the last argument. */
  readonly command: string
  readonly scenario: string
  readonly version: SpecVersion
  readonly scenarioMs?: number
}

/** Runs one scenario for clients. */
export function runClientScenario({
  command,
  scenario,
  version,
  scenarioMs = 60_000,
}: ClientRun): Promise<SuiteResult> {
  const what = ["--command", command, "--scenario", scenario, "--spec-version", version]
  return resultsOf(["client", ...what, "--timeout", String(scenarioMs)])
}

async function resultsOf(args: readonly string[]): Promise<SuiteResult> {
  const folder = await mkdtemp(join(tmpdir(), "byleave-conformance-"))
  try {
    const output = await outputOf([...args, "-o", folder])
    const result = await readResults(folder, args[0] === "server" ? "server-" : "")
    if (result.size === 0) throw new Error(`The conformance suite gave no result:\n${output}`)
    return result
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The exit code only says that a check failed, which the results say better. */
function outputOf(args: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const child = spawn(process.execPath, [suite, ...args], { stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  child.stdout.on("data", (chunk) => {
    output += chunk
  })
  child.stderr.on("data", (chunk) => {
    output += chunk
  })
  child.on("error", reject)
  child.on("close", () => resolve(output))
  return promise
}

async function readResults(folder: string, prefix: string): Promise<SuiteResult> {
  const result = new Map<string, readonly Check[]>()
  for (const name of (await readdir(folder)).sort()) {
    const scenario = /^(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1]
    if (scenario !== undefined) result.set(scenario.slice(prefix.length), await readScenario(join(folder, name)))
  }
  return result
}

/** A scenario that broke off left its folder empty. */
async function readScenario(folder: string): Promise<readonly Check[]> {
  if ((await readdir(folder)).includes("checks.json"))
    return readChecks(await readFile(join(folder, "checks.json"), "utf8"))
  return [{ id: "scenario-broke-off", status: "FAILURE", why: "the scenario itself ended in an error" }]
}

type RawCheck = { readonly id: string; readonly status: Check["status"]; readonly errorMessage?: string }

function readChecks(json: string): readonly Check[] {
  const seen = new Map<string, number>()
  return (JSON.parse(json) as readonly RawCheck[])
    .filter((check) => !(notes.has(check.id) && check.status === "INFO"))
    .map(({ id, status, errorMessage }) => {
      const nth = (seen.get(id) ?? 0) + 1
      seen.set(id, nth)
      return { id: nth === 1 ? id : `${id}#${nth}`, status, why: errorMessage ?? "" }
    })
}
