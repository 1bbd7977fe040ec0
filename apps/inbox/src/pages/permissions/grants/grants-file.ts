/** A file of grants, read before anything is done with it. Its lines are told whole: nothing in them is accepted unread. */
import { type GrantsFile, grantsFile } from "@byleave/api"
import { describeRemembered } from "@byleave/core"

type FiledGrant = GrantsFile["grants"][number]

export type ReadFile =
  | { readonly ok: true; readonly file: GrantsFile; readonly lines: readonly FiledLine[] }
  | { readonly ok: false; readonly problem: string }

export type FiledLine = {
  readonly effect: FiledGrant["effect"]
  readonly words: string
  readonly text: string
  readonly reason: string | null
  /** Its time has passed already: it will be refused. */
  readonly isOver: boolean
}

export function readGrantsFile(text: string, now: number): ReadFile {
  const json = parse(text)
  if (json === undefined)
    return { ok: false, problem: "This file is not valid JSON. Choose a file exported from this page." }
  const parsed = grantsFile.safeParse(json)
  if (!parsed.success) return { ok: false, problem: problemOf(json) }
  return { ok: true, file: parsed.data, lines: parsed.data.grants.map((grant) => lineOf(grant, now)) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function problemOf(json: unknown): string {
  const version = typeof json === "object" && json !== null && "version" in json ? json.version : undefined
  if (version !== undefined && version !== 1) {
    return "This file's version is not supported. Export it again from the same version of Byleave."
  }
  return "This is not a Byleave permissions file. Nothing was imported."
}

function lineOf(grant: FiledGrant, now: number): FiledLine {
  const { effect, breadth, until, uses } = grant
  const remembered = {
    effect,
    breadth,
    ...(until === undefined ? {} : { until }),
    ...(uses === undefined ? {} : { usesLeft: uses }),
  }
  const isOver = until !== undefined && until <= now
  return { effect, ...describeRemembered(remembered, { now, isWhole: true }), reason: grant.reason ?? null, isOver }
}

export function grantsFileText(file: GrantsFile): string {
  return `${JSON.stringify(file, null, 2)}\n`
}
