/**
 * Requests of programs that read agent runs. A request of a few bytes may name a run of many megabytes, so what counts is what it makes the
 * service read.
 *
 * I1. A program's requests that read more than a little are done one after the other, and everybody else has a turn in between.
 * I2. No program has more of them waiting than it may, in number and in bytes; another's are not counted with them.
 * I3. People wait for no program's turn, and take none; only a search, which may read many runs, waits for the same person's one before.
 */
import { freeBodyBytes } from "@byleave/core"
import { createProgramTurns } from "../gate/program-turns.ts"
import { type RefusedRequest, refuse } from "../refused.ts"
import { type RunCaller, streamsKey } from "./run-caller.ts"

/** `bytes`: as much as the largest run has, twice. */
export const mostRunReads = { pieces: 64, bytes: 128 * 1024 * 1024 } as const

/** The turns of one caller. `bytes`: of the runs that are read, and of what the request brought. */
export type ReadTurns = {
  /** Null: too much of the caller's waits already, and nothing was done. */
  readonly take: <Result>(bytes: number, work: () => Promise<Result>) => Promise<Result> | null
  /** For what a request that had its turn must still read. */
  readonly finish: <Result>(bytes: number, work: () => Promise<Result>) => Promise<Result>
  /** Like `take`, for work that reads many runs: a person's is done one after the other, too. */
  readonly search: <Result>(bytes: number, work: () => Promise<Result>) => Promise<Result> | null
}

export type RunReads = {
  readonly turnsOf: (caller: RunCaller) => ReadTurns
  /** Resolved after all other ready work has had its turn. */
  readonly nextTurn: () => Promise<unknown>
}

export function createRunReads(nextTurn: RunReads["nextTurn"]): RunReads {
  const turns = createProgramTurns(mostRunReads, nextTurn)
  return {
    nextTurn,
    turnsOf: (caller) => {
      const token = streamsKey(caller)
      const isFree = (bytes: number): boolean => caller.kind === "reviewer" || bytes <= freeBodyBytes
      return {
        take: (bytes, work) => (isFree(bytes) ? work() : turns.take({ token, bytes }, work)),
        finish: (bytes, work) => (isFree(bytes) ? work() : turns.finish({ token, bytes }, work)),
        search: (bytes, work) => turns.take({ token, bytes }, work),
      }
    },
  }
}

/** Reads a run when it is the caller's turn, or says that too much waits. */
export async function inTurn<Result>(
  reads: RunReads,
  caller: RunCaller,
  { bytes }: { readonly bytes: number },
  work: () => Promise<Result>,
): Promise<Result | RefusedRequest> {
  return reads.turnsOf(caller).take(bytes, work) ?? tooManyReads()
}

/** Searches runs when it is the caller's turn, or says that too much waits. */
export async function searchInTurn<Result>(
  reads: RunReads,
  caller: RunCaller,
  bytes: number,
  work: () => Promise<Result>,
): Promise<Result | RefusedRequest> {
  return reads.turnsOf(caller).search(bytes, work) ?? tooManyReads()
}

/** The bytes read by a request that looks at one page of a run. */
export function pageOf({ bytes }: { readonly bytes: number }): { readonly bytes: number } {
  return { bytes: Math.min(bytes, pageBytes) }
}

const pageBytes = 1_000_000

function tooManyReads(): RefusedRequest {
  return refuse("too-many-reads", tooManyReadsWords)
}

const tooManyReadsWords =
  "Too many requests of yours that read large runs are waiting here. Nothing was done. Try again once some of them are answered."
