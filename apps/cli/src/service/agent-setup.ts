/**
 * Sets up the agents of the machine that the service runs on, for people at its page. Only where nobody else can reach the service: beyond
 * this machine, its files are none of the page's business.
 */
import { createHash } from "node:crypto"
import type { SetupView } from "@byleave/api"
import type { AgentSetup, Credentials } from "@byleave/server"
import { isRefused } from "@byleave/server"
import type { Io } from "../io.ts"
import { lookAround } from "../setup/look.ts"
import type { SetupPlan } from "../setup/plan-setup.ts"
import { lookAtUndo, type UndoLook } from "../setup/plan-undo.ts"
import { probeServers } from "../setup/probe-servers.ts"
import { runSetup } from "../setup/run-setup.ts"
import { type SetupHost, SetupRefused } from "../setup/setup-host.ts"
import { setupViews } from "../setup/setup-views.ts"
import { undoSetup } from "../setup/undo-setup.ts"

export type AgentSetupPorts = {
  readonly data: string
  /** The configuration in use. */
  readonly file: string
  readonly io: Pick<Io, "env" | "home" | "platform">
  readonly credentials: Credentials
  readonly address: () => string
}

export function openAgentSetup({ data, file, io, credentials, address }: AgentSetupPorts): AgentSetup {
  const lookOf = () => ({
    data,
    // The service works in no project's folder.
    ...{ io: { ...io, cwd: data }, machine: { ...io, cwd: null }, only: null },
    url: address(),
  })
  const viewOf = (plan: SetupPlan): SetupView => {
    const undo = lookAtUndo(data, null)
    return {
      whyNot: null,
      version: versionOf(plan, undo),
      files: setupViews(plan),
      undoable: undo.record.files.map(({ path }) => path),
    }
  }
  const lookAgain = (version: string): { readonly plan: SetupPlan; readonly undo: UndoLook } => {
    const shown = { plan: lookAround(lookOf()), undo: lookAtUndo(data, null) }
    if (versionOf(shown.plan, shown.undo) === version) return shown
    throw new SetupRefused("A file has changed since the difference was shown. Look again.")
  }
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(work: () => Promise<Result>) => {
    const done = turn.then(work).catch((cause: unknown) => {
      if (cause instanceof SetupRefused) return { refusedWith: "conflict" as const, detail: cause.message }
      throw cause
    })
    turn = done.catch(() => {})
    return done
  }
  return {
    look: async () => viewOf(lookAround(lookOf())),
    run: (version, by) =>
      inTurn(async () => {
        await runSetup(data, lookAgain(version).plan, localHost(file, credentials, by))
        return viewOf(lookAround(lookOf()))
      }),
    undo: (version, by) => inTurn(() => undoSetup(data, lookAgain(version).undo, localHost(file, credentials, by))),
  }
}

/** Names what is shown, the texts that a difference was made from, and what can be undone with its texts; nothing can be read from it. */
function versionOf(plan: SetupPlan, { record, texts: undone }: UndoLook): string {
  const texts = plan.files.map(({ found, edit, allow }) => [found.path, edit?.before, edit?.after, allow?.edit.after])
  return createHash("sha256")
    .update(JSON.stringify([setupViews(plan), texts, record, [...undone]]))
    .digest("base64url")
    .slice(0, 24)
}

/** This service itself. Servers that move into its configuration wait for the person's yes, as any change of it does. */
function localHost(config: string, credentials: Credentials, by: string): SetupHost {
  return {
    config,
    unmovable: probeServers,
    addToken: async (id) => {
      const added = await credentials.addToken({ id, kind: "agent", namesSessions: false, conveysDecisions: false }, by)
      if (!isRefused(added)) return { id, secret: added.secret }
      if (added.refusedWith === "conflict") return null
      throw new SetupRefused(added.detail)
    },
    revokeToken: async (id) => void (await credentials.revokeToken(id, by)),
    acceptServers: async () => null,
  }
}
