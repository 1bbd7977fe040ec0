/**
 * Byleave inside the panel: gate and store in this document, servers by way of the worker.
 *
 * I1. One document has it: whoever holds the lock. The others say so.
 * I2. What ran when a document died is taken back before anything else goes on.
 * I3. The loop and its library of models are loaded with the first message, and not before.
 */
import {
  createGate,
  createRedactor,
  emptyPolicy,
  type Policy,
  portableHasher,
  type Redactor,
  type SchemaValidator,
} from "@byleave/core"
import { createSchemaCheck } from "@byleave/core/schema"
import type { Runs } from "@byleave/runs"
import { holdOwnership, openIndexedDbStore } from "@byleave/store/indexeddb"
import {
  followSettings,
  headersOf,
  modelKeyOf,
  type PanelSettings,
  readSettings,
  storeName,
  whileUnchanged,
} from "../settings/settings.ts"
import { createCallNotes } from "../worker/call-notes.ts"
import { type Engine, serverIds } from "./engine.ts"
import { newId, openKeys } from "./identity.ts"
import { forgetAllBut } from "./known-servers.ts"
import { forgetOldNotes, forgetWritten, takeBackRunning } from "./settle-calls.ts"
import { outcomeByWorker } from "./worker-calls.ts"

const lockName = "byleave-engine"

/** Null: another document of this browser has it. `isTaken`: takes it from that one. */
export async function openEngine(isTaken: boolean, onTrouble: (trouble: unknown) => void): Promise<Engine | null> {
  const ownership = await holdOwnership(navigator.locks, lockName, { isTaken })
  if (ownership === null) return null
  let settings = await readSettings()
  let policy = policyFor(settings)
  let redactor = await redactorFor(settings)
  const keys = await openKeys()
  const ids = { hasher: portableHasher, newId, now: Date.now }
  const store = await openIndexedDbStore({ ...ids, name: storeName, signer: keys.signer, isAlone: true })
  const gate = await createGate({
    ...ids,
    policy,
    store,
    digestKey: keys.digestKey,
    validator,
    onTrouble,
    redactor: {
      redact: (value) => redactor.redact(value),
      redactText: (text) => redactor.redactText(text),
    },
  })
  const notes = createCallNotes(chrome.storage.session)
  await forgetOldNotes(store, notes).catch(onTrouble)
  const stopForgetting = forgetWritten(gate, notes, onTrouble)
  const forgetRemoved = () => whileUnchanged((now) => forgetAllBut({ gate, store }, serverIds(now)))
  await forgetRemoved().catch(onTrouble)
  await takeBackRunning({ gate, store, outcome: outcomeByWorker, onTrouble })
  let loading: Promise<Runs> | null = null
  let loaded: Runs | null = null
  const engine: Engine = {
    gate,
    store,
    policy: () => policy,
    settings: () => settings,
    validator,
    forgetRemoved,
    redactText: (text) => redactor.redactText(text),
    runs: () => {
      loading ??= import("./load-runs.ts").then(({ loadRuns }) => {
        loaded = loadRuns(engine, onTrouble)
        return loaded
      })
      return loading
    },
    loaded: () => loaded,
    lost: ownership.lost,
    close: async () => {
      stopFollowing()
      stopForgetting()
      for (const timer of timers) clearInterval(timer)
      await loaded?.close()
      await gate.close()
      await store.close()
      ownership.release()
    },
  }
  const stopFollowing = followSettings((next) => {
    settings = next
    policy = policyFor(next)
    gate.replacePolicy(policy, "you").catch(onTrouble)
    redactorFor(next).then((fresh) => {
      redactor = fresh
    }, onTrouble)
  })
  const timers = keepTime(engine, onTrouble)
  return engine
}

async function redactorFor({ model, servers }: PanelSettings): Promise<Redactor> {
  const key = model === null ? null : await modelKeyOf(model)
  const headers = await Promise.all(servers.map(headersOf))
  const values = headers.flatMap((each) => Object.values(each ?? {}))
  return createRedactor({ values: key === null ? values : [key, ...values] })
}

/** Everything asks; only permissions that somebody gave let a call run unasked. */
function policyFor(settings: PanelSettings): Policy {
  const { servers } = settings
  const known = servers.map(({ id, url }) => [id, url])
  return {
    ...emptyPolicy,
    version: portableHasher.sha256(JSON.stringify(known)).slice(0, 16),
    servers: serverIds(settings).map((id) => ({ id, trust: "none", pin: "full" })),
    limits: { ...emptyPolicy.limits, autoAllowedPerMinute: 60 },
  }
}

const validator: SchemaValidator = (schema) => {
  const check = createSchemaCheck(schema)
  return (value) => check(value).map(({ at, words }) => `${at}: ${words}`)
}

function keepTime(engine: Engine, onTrouble: (trouble: unknown) => void): readonly ReturnType<typeof setInterval>[] {
  const { gate } = engine
  const quietly = (work: () => Promise<unknown>) => () => void work().catch(onTrouble)
  const takeUp = async (): Promise<void> => {
    if (engine.loaded() === null && (await gate.runsToTakeUp(1)).length === 0) return
    await (await engine.runs()).takeUp()
  }
  quietly(takeUp)()
  return [
    setInterval(
      quietly(() => gate.expireDue()),
      1_000,
    ),
    setInterval(
      quietly(() => gate.renewLeases()),
      10_000,
    ),
    setInterval(
      quietly(async () => engine.loaded()?.renewLeases()),
      10_000,
    ),
    setInterval(quietly(takeUp), 5_000),
  ]
}
