/**
 * The gate of a process whose decisions are made elsewhere. The service judges, holds and records; the call itself runs here.
 *
 * A call runs only on the service's word, once per word. Without a service nothing runs: every failure before that word is a
 * refusal, and a connection lost while a call waits is taken up again until its caller has waited long enough.
 */
import type { CallerGate } from "@byleave/core"
import { answerOf, readAnswer } from "../client/service-answer.ts"
import { askStillRuns } from "./ask-still-runs.ts"
import { elapsedHere } from "./elapsed-here.ts"
import { gatePaths } from "./gate-paths.ts"
import { remoteDefinitions } from "./remote-definitions.ts"
import { followEvents } from "./remote-events.ts"
import { judgeInBatches } from "./remote-judge.ts"
import { lost, type Remote, submitRemotely } from "./submit-remotely.ts"
import { createToldTools, type ToldProgram } from "./told-tools.ts"

/** `onTrouble` is told of failures nobody waits for, such as an outcome the service did not take. */
export type RemoteGateOptions = Omit<Remote, "told" | "program" | "mayStillRun" | "settling" | "closing"> & {
  readonly here?: ToldProgram
}

export function createRemoteGate(options: RemoteGateOptions): CallerGate {
  const { transport, pause, elapsed = elapsedHere } = options
  const closing = new AbortController()
  const told = createToldTools(transport, options.here)
  const mayStillRun = askStillRuns({ transport, pause, elapsed, told, program: options.here?.program })
  const remote: Remote = {
    ...options,
    mayStillRun,
    told,
    program: options.here?.program,
    settling: new Set(),
    closing: closing.signal,
  }
  const from = (agent: string, session: { readonly id: string; readonly named: boolean }) => ({
    agent,
    session: { id: session.id, named: session.named },
  })
  return {
    submit: async (call, run, how = {}) => (await submitRemotely(remote, call, run, how, undefined)) ?? lost,
    attach: (approval, call, run, how = {}) => submitRemotely(remote, call, run, how, approval),
    judge: judgeInBatches(transport, remote.program),
    mayStillRun,
    cancel: async (approval, principal, detail) => {
      const body = { from: from(principal, { id: principal, named: false }), approval, ...(detail ? { detail } : {}) }
      return answerOf(await transport.post(gatePaths.cancel, JSON.stringify(body)))
    },
    approval: async (id) => {
      const { status, text } = await transport.get(gatePaths.approval(id))
      return status === 200 ? readAnswer(text) : undefined
    },
    seeTools: (server, tools) => remote.told.tell(server, tools),
    ...remoteDefinitions(transport),
    endSession: async (session) => {
      await transport.post(gatePaths.end, JSON.stringify({ from: from(session.principal, session) }))
    },
    events: (listener) => followEvents(transport, options.pause, listener),
    close: async () => {
      closing.abort()
      await Promise.allSettled(remote.settling)
    },
    // The service lets it count only where its configuration says so.
    answerInClient: async ({ approval, kind, digest }) =>
      answerOf(await transport.post(gatePaths.answer, JSON.stringify({ approval, kind, digest }))),
  }
}
