/**
 * The gate of a process whose decisions are made elsewhere. The service judges, holds and records; the call itself runs here.
 *
 * A call runs only on the service's word, once per word. Without a service nothing runs: every failure before that word is a
 * refusal, and a connection lost while a call waits is taken up again until its caller has waited long enough.
 */
import type { Gate } from "@byleave/core"
import { answerOf, readAnswer } from "../client/service-answer.ts"
import { gatePaths } from "./gate-paths.ts"
import { remoteDefinitions } from "./remote-definitions.ts"
import { followEvents } from "./remote-events.ts"
import { judgeInBatches } from "./remote-judge.ts"
import { lost, type Remote, submitRemotely } from "./submit-remotely.ts"
import { createToldTools, type ToldProgram } from "./told-tools.ts"

/** `onTrouble` is told of failures nobody waits for, such as an outcome the service did not take. */
export type RemoteGateOptions = Omit<Remote, "told" | "program" | "settling" | "closing"> & {
  readonly here?: ToldProgram
}

export function createRemoteGate(options: RemoteGateOptions): Gate {
  const { transport } = options
  const closing = new AbortController()
  const remote: Remote = {
    ...options,
    told: createToldTools(transport, options.here),
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
    expireDue: async () => 0,
    renewLeases: async () => {},
    close: async () => {
      closing.abort()
      await Promise.allSettled(remote.settling)
    },
    takeOver: notHere,
    // The service lets it count only as an answer given in the client, and only where its configuration says so.
    answer: async ({ approval, kind, digest }) =>
      answerOf(await transport.post(gatePaths.answer, JSON.stringify({ approval, kind, digest }))),
    checkEdit: notHere,
    answerAll: notHere,
    extend: notHere,
    revoke: notHere,
    rerun: notHere,
    undo: notHere,
    runNow: notHere,
    grants: notHere,
    addGrant: notHere,
    addGrants: notHere,
    revokeGrant: notHere,
    setGrantLevel: notHere,
    acceptDefinition: notHere,
    rejectDefinition: notHere,
    quarantine: notHere,
    liftQuarantine: notHere,
    setMode: notHere,
    liftRefusals: notHere,
    replacePolicy: notHere,
  }
}

async function notHere(): Promise<never> {
  throw new Error("A gate credential cannot decide calls. Use `byleave approve` or the inbox as a reviewer.")
}
