/**
 * The run that a page's request is about.
 *
 * I1. What is read of runs is read when it is the caller's turn.
 * I2. By the page's own name for a conversation one run is read whole at the most; the others are told apart by their summaries.
 */
import type { AgentRun, RunStarter } from "@byleave/core"
import { textAt, threadInSummary } from "@byleave/core"
import type { RunOrder } from "../runs.ts"
import type { FrontCaller, FrontPorts, StartedRun } from "./front-ports.ts"

/** How many of the caller's newest runs are looked through for a conversation that has nothing of its run in it. */
const searched = 50

/** The most bytes that a run has besides its journal, in what its starter sent and in the calls that it waits for. */
const mostBytes = 1_000_000

type Wanted = { readonly thread: string | undefined; readonly ids: readonly (string | undefined)[] }

/** The run that a page goes on with: by an id that is a run's, else by the page's own name for the conversation. */
export function findRun(ports: FrontPorts, caller: FrontCaller, wanted: Wanted): Promise<AgentRun | undefined> {
  const { readInTurn = (_, read) => read() } = ports
  return readInTurn(mostBytes, () => find(ports, caller, wanted))
}

async function find(ports: FrontPorts, caller: FrontCaller, { thread, ids }: Wanted): Promise<AgentRun | undefined> {
  for (const id of new Set([thread, ...ids])) {
    const run = id === undefined ? undefined : await ports.runs.get(id)
    if (run !== undefined && mayUse(run, caller)) return run
  }
  if (thread === undefined) return undefined
  const listed = await ports.gate.runs({ startedBy: caller.starter, limit: searched })
  const name = threadInSummary(thread)
  const found = listed.find((run) => run.thread === name && mayUse(run, caller))
  const run = found === undefined ? undefined : await ports.runs.get(found.id)
  return textAt(run?.setup.metadata, "thread") === thread ? run : undefined
}

function mayUse(run: StartedRun, { starter, mayUse: isAllowed }: FrontCaller): boolean {
  return isAllowed === undefined ? isStartedBy(run, starter) : isAllowed(run)
}

/** A token is not taken for an earlier one of its name. */
export function isStartedBy({ startedBy }: Pick<AgentRun, "startedBy">, starter: RunStarter): boolean {
  const isSameToken = startedBy.token === undefined || startedBy.token === starter.token
  return startedBy.kind === starter.kind && startedBy.id === starter.id && isSameToken
}

/** The order with the page's name for the conversation, by which `findRun` finds it again. */
export function withThread<O extends Omit<RunOrder, "messages">>(order: O, thread: string | undefined): O {
  return thread === undefined ? order : { ...order, metadata: { ...order.metadata, thread } }
}
