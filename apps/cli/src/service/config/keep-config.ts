/**
 * Keeps the configuration in force: what an edit of the file tightens holds at once, what it widens waits as an approval of its own,
 * and a newer edit withdraws the one that waits, also one that cannot be used.
 *
 * I1. What a person approves is put into force only in place of the configuration that it was compared with: if another replica has put another one into
 *     force since, the edit is compared anew and asked about anew.
 * I2. No replica writes over what another has put into force in the meantime.
 * I3. What another replica has put into force is in force here at last, whatever fails on the way.
 * I4. Of where a server works, the gate knows at any time what is so of the one that runs, or nothing.
 * I5. Nothing waits for old servers to end: what restricts, here or at another replica, holds at once also meanwhile.
 */
import {
  type Call,
  type CallerGate,
  canonicalJson,
  type GateUpkeep,
  type JsonObject,
  openStatuses,
  type Run,
  type Store,
} from "@byleave/core"
import type { ServerConfig } from "@byleave/formats"
import type { Documents } from "../gateway/documents.ts"
import { acceptedSubject, findAccepted, writeAccepted } from "./accepted-config.ts"
import { readAcceptedText, type ShownText, writeAcceptedText } from "./accepted-text.ts"
import { keepTrying } from "./keep-trying.ts"
import { modelsAsBefore } from "./known-models.ts"
import { leavingServers } from "./leaving-servers.ts"
import { type Differences, type InForce, limitsIn, planChange, startedAsBefore } from "./plan-change.ts"
import { changeDefinition, changeTool, ownServer, policyAtGate } from "./reserved-rule.ts"

export type ConfigKeeper = {
  readonly inForce: () => InForce
  /** The change that waits for a person; null if the file and the configuration in force are the same. */
  readonly waiting: () => Pick<Waiting, "approval" | "differences" | "text"> | null
  /** The file says this now. `text`: as people may see it. */
  readonly propose: (next: InForce, file: string, text?: ShownText | null) => Promise<void>
  /** The file can no longer be used as it is: its earlier proposal is not in it any more. */
  readonly withdraw: () => Promise<void>
  /** Whether something that this says would wait for a person. */
  readonly holdsBack: (next: InForce) => boolean
  /** The text that was accepted as a whole last; null: none can be shown. */
  readonly acceptedText: () => Promise<ShownText | null>
  /** Nothing else changes the configuration while `work` runs. */
  readonly change: <Result>(work: (accept: Accept) => Promise<Result>) => Promise<Result>
  /** Resolves once the gate judges by the policy that is in force by now, whichever replica put it into force. */
  readonly followPolicy: () => Promise<void>
  readonly stop: () => void
}

/** A person wrote the file so: it is in force at once, also what it widens. How servers are started still waits. */
export type Accept = (next: InForce, file: string, by: string, text?: ShownText | null) => Promise<void>

export type KeeperPorts = {
  readonly gate: CallerGate & Pick<GateUpkeep, "replacePolicy">
  readonly store: Store
  readonly documents: Documents
  /** Servers, connections and settings are those in force once this resolves; `ended` when the servers that were replaced have ended. */
  readonly apply: (inForce: InForce) => Promise<{ readonly ended: Promise<void> }>
  readonly wordsOf: (server: ServerConfig) => string
  readonly log: (line: string) => void
  readonly onTrouble: (trouble: unknown) => void
}

const attempts = 20
const session = { principal: ownServer, id: "configuration", named: true }

type Waiting = {
  readonly edit: Edit
  approval: string | null
  readonly differences: Differences
  readonly text: ShownText | null
  /** Why it is. */
  withdrawn: string | null
}

type Edit = { readonly next: InForce; readonly file: string; readonly text: ShownText | null }

/** `accepted`: the version of the document that `start` was made from; null: there was none. */
export async function keepConfig(start: InForce, accepted: number | null, ports: KeeperPorts): Promise<ConfigKeeper> {
  const { gate, store, documents, log } = ports
  let inForce = start
  /** Of the document that says what is in force. */
  let version = accepted
  /** Of the document whose policy the gate judges by: before servers have followed. */
  let judgedBy = accepted
  /** False: it is in force in part. */
  let isInForce = true
  let waiting: Waiting | null = null
  // One change at a time: an edit that arrives while another is put into force comes after it.
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const done = turn.then(work)
    turn = done.catch(() => {})
    return done
  }

  const telling = keepTrying(() => inTurn(() => tellGate(inForce, null)), ports.onTrouble)
  const servers = leavingServers(start, telling.ask, ports.onTrouble)

  /** False: another replica has put something else into force, and nothing was done. */
  const enforce = async (next: InForce, by: string | null): Promise<boolean> => {
    if (!(await writeAccepted(documents, next, version))) return false
    await put(next, by, (version ?? 0) + 1)
    isInForce = true
    // Last: what failed on the way is put into force by `follow`.
    version = (version ?? 0) + 1
    return true
  }
  const put = async (next: InForce, by: string | null, of: number): Promise<void> => {
    isInForce = false
    await tellGate(next, by)
    judgedBy = of
    inForce = next
    const { ended } = await ports.apply(next)
    servers.replaced(next, ended)
  }
  const tellGate = (next: InForce, by: string | null) => gate.replacePolicy(policyAtGate(servers.knownOf(next)), by)
  const withdraw = async (why = "the configuration was edited again."): Promise<void> => {
    const old = waiting
    if (old === null) return
    old.withdrawn = why
    if (old.approval !== null) await gate.cancel(old.approval, ownServer, why)
    // Last: one that could not be cancelled is withdrawn again.
    waiting = null
  }
  const hold = (edit: Edit, differences: Differences): void => {
    const { next, file, text } = edit
    const mine: Waiting = { edit, approval: null, differences, text, withdrawn: null }
    waiting = mine
    const args = { file, version: next.policy.version, ...differences } as unknown as JsonObject
    const onHeld = ({ id }: { readonly id: string }): void => {
      mine.approval = id
      if (mine.withdrawn !== null) gate.cancel(id, ownServer, mine.withdrawn).catch(ports.onTrouble)
    }
    const run: Run = async (approved, { approval }) => {
      if (canonicalJson(approved) !== canonicalJson(args)) {
        return { kind: "failed", error: "Configuration changes cannot be edited here. Edit the file." }
      }
      const by = approval === null ? null : ((await store.approval(approval)) ?? null)
      const isApplied = await inTurn(async () => {
        if (mine.withdrawn !== null) return false
        await follow()
        if (mine.withdrawn !== null) return false
        waiting = null
        if (!(await enforce(next, by?.status === "running" ? by.approvedBy : null))) {
          await plan(edit)
          return false
        }
        await writeAcceptedText(documents, text)
        return true
      })
      if (!isApplied) return { kind: "failed", error: "The configuration has changed since. Nothing was applied." }
      log(`The new configuration is in effect (version ${next.policy.version}).`)
      return { kind: "succeeded", result: "in force" }
    }
    const call: Call = { tool: { server: ownServer, tool: changeTool }, args, principal: { id: ownServer }, session }
    gate.submit(call, run, { onHeld }).then((outcome) => {
      if (waiting === mine && outcome.kind !== "ticket") waiting = null
      if (outcome.kind === "refusal" && mine.withdrawn === null)
        log(`The rest of the edited configuration is not in effect: ${outcome.refusal.reason || "it was denied."}`)
      if (outcome.kind === "error" || outcome.kind === "unknown")
        log("The rest of the edited configuration could not be applied. Edit the file again to retry.")
    }, ports.onTrouble)
  }

  /** Puts of an edit into force what tightens, and asks about the rest. */
  const plan = async (edit: Edit): Promise<void> => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      await follow()
      const { now, waits, tightens } = planChange(inForce, edit.next, ports.wordsOf)
      await withdraw()
      if (!isSame(now, inForce) && !(await enforce(now, null))) continue
      for (const sentence of tightens) log(`In effect now: ${sentence}`)
      return waits === null ? writeAcceptedText(documents, edit.text) : ask(edit, waits)
    }
    throw new Error("Other replicas kept changing the configuration. Edit the file again to retry.")
  }
  const ask = async (edit: Edit, waits: Differences): Promise<void> => {
    for (const sentence of [...waits.widens, ...waits.servers]) log(`Needs approval: ${sentence}`)
    hold(edit, waits)
  }

  const accept: Accept = async (next, file, by, text = null) => {
    await withdraw("the configuration was saved again in the inbox.")
    const models = modelsAsBefore(inForce.models, next.models)
    const now = { ...next, servers: startedAsBefore(inForce, next), models }
    // Saved while another replica changed what is in force: the person was shown something else.
    if (!isSame(now, inForce) && !(await enforce(now, by))) return plan({ next, file, text })
    const { waits } = planChange(inForce, next, ports.wordsOf)
    if (waits !== null) hold({ next, file, text }, waits)
    else await writeAcceptedText(documents, text)
    log(`The configuration saved by ${by} is in effect (version ${next.policy.version}).`)
  }

  await gate.seeTools(ownServer, [changeDefinition])
  await withdrawOrphans(gate, store)
  const following = keepTrying(() => inTurn(follow), ports.onTrouble)
  const unsubscribe = store.subscribe(({ type, subject }) => {
    if (type === "document.changed" && subject === acceptedSubject) following.ask()
  })
  // Another replica may have changed it since the start was read.
  following.ask()
  /** Another replica put a policy into force. Servers are started by each from its own file. */
  async function follow(): Promise<void> {
    const found = await findAccepted(documents)
    if (found === undefined || found.version === version) return
    const { policy, settings } = found.accepted
    if (!isInForce || canonicalPolicy(found.accepted) !== canonicalPolicy(inForce)) {
      await put({ ...inForce, policy, settings }, null, found.version)
      await compareAnew()
      isInForce = true
      log(`Another replica applied policy ${policy.version}.`)
    }
    // Last: what failed on the way is tried again.
    version = found.version
    judgedBy = found.version
  }
  const followPolicy = async (): Promise<void> => {
    const found = await findAccepted(documents)
    if (found !== undefined && found.version !== judgedBy) await inTurn(follow)
  }
  /** The differences that people were asked about are others by now. */
  async function compareAnew(): Promise<void> {
    if (waiting === null) return
    const { edit } = waiting
    await withdraw("another replica changed the configuration.")
    const { waits } = planChange(inForce, edit.next, ports.wordsOf)
    if (waits !== null) await ask(edit, waits)
  }
  return {
    inForce: () => inForce,
    waiting: () => waiting,
    propose: (next, file, text = null) => inTurn(() => plan({ next, file, text })),
    withdraw: () => inTurn(() => withdraw("the configuration file is no longer valid.")),
    holdsBack: (next) => planChange(inForce, next, ports.wordsOf).waits !== null,
    acceptedText: () => readAcceptedText(documents),
    change: (work) => inTurn(() => work(accept)),
    followPolicy,
    stop: () => {
      unsubscribe()
      following.stop()
      telling.stop()
    },
  }
}

/** Withdraws changes that a service which is gone left waiting; the file is compared anew. */
async function withdrawOrphans(gate: CallerGate, store: Store): Promise<void> {
  const query = { statuses: openStatuses, principal: ownServer, server: ownServer, limit: 100 }
  const alive = new Set(await store.alive(store.now(Date.now())))
  for (const { id, caller } of await store.approvals(query)) {
    const writer = caller?.split("/")[0]
    if (writer !== undefined && writer !== store.writer && alive.has(writer)) continue
    await gate.cancel(id, ownServer, "the service that proposed it is gone.")
  }
}

function canonicalPolicy({ policy, settings }: InForce): string {
  return canonicalJson({ policy, settings } as unknown as JsonObject)
}

function isSame(one: InForce, other: InForce): boolean {
  return textOfInForce(one) === textOfInForce(other)
}

/** The same text for what is the same, also after a restart. */
export function textOfInForce({ policy, servers, models, settings }: InForce): string {
  return canonicalJson({
    policy,
    servers: servers.map((server) => ({ id: server.id, start: server.start, limits: limitsIn(server) })),
    models: models.map(({ name, start, config }) => ({ name, start, isUsable: config !== null })),
    settings,
  } as unknown as JsonObject)
}
