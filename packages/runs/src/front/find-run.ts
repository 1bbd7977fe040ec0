import type { AgentRun, RunStarter } from "@byleave/core"
import { textAt } from "@byleave/core"
import type { RunOrder } from "../runs.ts"
import type { FrontCaller, FrontPorts } from "./front-ports.ts"

/** How many of the caller's newest runs are looked through for a conversation that has nothing of its run in it. */
const searched = 50

/** The run that a page goes on with: by an id that is a run's, else by the page's own name for the conversation. */
export async function findRun(
  ports: FrontPorts,
  caller: FrontCaller,
  { thread, ids }: { readonly thread: string | undefined; readonly ids: readonly (string | undefined)[] },
): Promise<AgentRun | undefined> {
  for (const id of [thread, ...ids]) {
    const run = id === undefined ? undefined : await ports.runs.get(id)
    if (run !== undefined && mayUse(run, caller)) return run
  }
  if (thread === undefined) return undefined
  for (const { id } of await ports.gate.runs({ startedBy: caller.starter, limit: searched })) {
    const run = await ports.runs.get(id)
    if (run !== undefined && textAt(run.setup.metadata, "thread") === thread && mayUse(run, caller)) return run
  }
  return undefined
}

function mayUse(run: AgentRun, { starter, mayUse: isAllowed }: FrontCaller): boolean {
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
