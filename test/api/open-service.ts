import { AsyncLocalStorage } from "node:async_hooks"
import { randomBytes, scryptSync } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Client, createClient, type DeviceKey, newDeviceKey, signProof } from "@byleave/api"
import {
  type BodyBudget,
  createRedactor,
  type Gate,
  type LoopTurns,
  type Policy,
  type PolicyPorts,
  type Store,
} from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import {
  type AgentRuns,
  type ConfigText,
  type Credentials,
  createCredentials,
  createServer,
  isRefused,
  type PinHash,
  type Server,
  type ServerFacts,
} from "@byleave/server"
import { openSqliteStore } from "@byleave/store/sqlite"
import { validateWith } from "../engine/json-schema.ts"
import { type Engine, memoryStore, newId, openEngine, policyOf, signer, type TestClock } from "../engine/open-engine.ts"

export const url = "http://127.0.0.1:7337"
export const annasPin = "four five six"

/** Real scrypt, at a cost a test can bear. */
const pinHash: PinHash = {
  make: async (pin) => {
    const salt = randomBytes(16).toString("hex")
    return `${salt}:${scryptSync(pin, salt, 32, { N: 1024 }).toString("hex")}`
  },
  check: async (pin, stored) => {
    const [salt = "", hash] = stored.split(":")
    return scryptSync(pin, salt, 32, { N: 1024 }).toString("hex") === hash
  },
}

export type Person = { readonly id: string; readonly key: DeviceKey; readonly client: Client }

export type TestService = {
  readonly engine: Engine
  readonly store: Store
  readonly clock: TestClock
  readonly server: Server
  readonly credentials: Credentials
  /** A person with a device; with presence unless told otherwise. */
  readonly person: (
    id: string,
    more?: { readonly presence?: boolean; readonly groups?: readonly string[] },
  ) => Promise<Person>
  readonly clientOf: (key: DeviceKey) => Client
  /** A request as anyone could send it. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>
  readonly proofOf: (key: DeviceKey, method: string, path: string, body?: string) => Promise<string>
  /** Another service on the same store, as after a restart or at a replica. */
  readonly again: () => Promise<Server>
  readonly close: () => Promise<void>
}

export type TestServiceOptions = {
  readonly policy?: Policy
  readonly presence?: "pin" | "none"
  readonly store?: "memory" | "sqlite"
  readonly servers?: readonly ServerFacts[]
  readonly secrets?: readonly string[]
  /** What any text of a configuration comes to, when it is tried out. */
  readonly nextPolicy?: Policy
  /** Told how many bytes of payloads each read of the audit gave. */
  readonly onRead?: (bytes: number) => void
  /** Told of what is read, and for whom; the empty text: for everybody. */
  readonly onReadFor?: (what: string, reader: string) => void
  /** Told of each approval that is read whole. */
  readonly onApproval?: (id: string) => void
  readonly turns?: LoopTurns
  /** Told each time it is looked up whose a program's credential is. */
  readonly onIdentify?: () => void
  readonly policyPorts?: PolicyPorts
  /** Awaited before each page of a run's journal is read; the page is read once it resolves, and then `end` is called. */
  readonly onJournal?: (run: string) => Promise<{ readonly end: () => void }>
  readonly bodies?: BodyBudget
  /** Carries agent runs out; closed before the gate. */
  readonly agentRuns?: (
    gate: Gate,
    clock: TestClock,
    more: { readonly store: Store; readonly credentials: Credentials },
  ) => AgentRuns & { readonly close: () => Promise<void> }
}

export async function openService(options: TestServiceOptions = {}): Promise<TestService> {
  const { policy = policyOf([]), presence = "pin" } = options
  const clock: TestClock = { now: 1_800_000_000_000 }
  const { store: opened, dispose } = await openStore(options.store ?? "memory", clock)
  const readers = new AsyncLocalStorage<string>()
  const asReader = <Result>(reader: string, work: () => Result): Result => readers.run(reader, work)
  const forAll = <Result>(read: () => Result): Result => asReader("", read)
  const told = (what: string): void => options.onReadFor?.(what, readers.getStore() ?? "nobody")
  const store: Store = {
    ...opened,
    decisionState: () => {
      told("decision state")
      return opened.decisionState()
    },
    document: (kind, id, at) => {
      told(kind)
      return opened.document(kind, id, at)
    },
    documents: (kind, query) => {
      told(`all of ${kind}`)
      return opened.documents(kind, query)
    },
    records: async (query) => {
      const records = await opened.records(query)
      options.onRead?.(records.reduce((sum, { payload }) => sum + Buffer.byteLength(payload ?? ""), 0))
      return records
    },
    approval: (id) => {
      told("approval")
      options.onApproval?.(id)
      return opened.approval(id)
    },
    journal: async (run, query) => {
      const reading = await options.onJournal?.(run)
      try {
        return await opened.journal(run, query)
      } finally {
        reading?.end()
      }
    },
  }
  const engine = await openEngine(policy, { clock, store, forAll })
  const now = (): number => clock.now
  const redactor = createRedactor({ values: options.secrets ?? [] })
  const ports = { store, now, hasher: nodeHasher, redactor, pinHash, forAll }
  const kept = createCredentials({ ...ports, presence: () => presence })
  const credentials: Credentials = { ...kept, identify: toldOf(kept.identify, options.onIdentify) }
  const troubles: unknown[] = []
  const agentRuns = options.agentRuns?.(engine.gate, clock, { store, credentials })
  const isServer = (id: string): boolean => (options.servers ?? []).some((server) => server.id === id)
  const serve = (): Server =>
    createServer({
      gate: engine.gate,
      store,
      credentials,
      now,
      newId,
      hasher: nodeHasher,
      signer,
      redactor,
      version: "0.1.0",
      policy: () => policy,
      validator: validateWith,
      asReader,
      ...(options.nextPolicy === undefined ? {} : { configText: tryingOut(options.nextPolicy) }),
      ...(options.bodies === undefined ? {} : { bodies: options.bodies }),
      ...(options.turns === undefined ? {} : { turns: options.turns }),
      ...(options.policyPorts === undefined ? {} : { policyPorts: options.policyPorts }),
      ...(agentRuns === undefined ? {} : { agentRuns }),
      servers: () => options.servers ?? [],
      restartServer: async (id) => isServer(id),
      stopServer: async (id) => isServer(id),
      startServer: async (id) => isServer(id),
      hosts: () => new Set(["127.0.0.1:7337", "localhost:7337"]),
      origins: () => new Set([url]),
      addresses: () => new Set([url]),
      address: () => url,
      proveService: (challenge, address) => nodeHasher.hmacSha256("data folder", `${address} ${challenge}`),
      keepAliveMs: 50,
      onTrouble: (trouble) => troubles.push(trouble),
    })
  const server = serve()
  const running = [server]
  const proofOf = (key: DeviceKey, method: string, path: string, body = ""): Promise<string> =>
    signProof({ key, method, url: new URL(path, url).href, body, now: clock.now })
  const clientOf = (key: DeviceKey): Client => clientAt(server, key, clock)
  return {
    engine,
    store,
    clock,
    server,
    credentials,
    clientOf,
    proofOf,
    send: (path, init) => server.fetch(new Request(new URL(path, url), init)),
    person: async (id, { presence: there = true, groups = [] } = {}) => {
      if (!(await credentials.listReviewers()).some((reviewer) => reviewer.id === id)) {
        const added = await credentials.addReviewer({ id, name: id, groups, pin: annasPin }, null)
        if (isRefused(added)) throw new Error(added.detail)
      }
      const key = await newDeviceKey({ extractable: false })
      const device = await credentials.addDevice({ reviewer: id, jwk: key.jwk, name: "test", presence: there }, null)
      if (isRefused(device)) throw new Error(device.detail)
      return { id, key, client: clientOf(key) }
    },
    again: async () => {
      const other = serve()
      running.push(other)
      return other
    },
    close: async () => {
      for (const each of running) each.close()
      await agentRuns?.close()
      await credentials.close()
      await engine.gate.close()
      await store.close()
      dispose()
      if (troubles.length > 0) throw troubles[0]
    },
  }
}

function toldOf(identify: Credentials["identify"], onIdentify = (): void => {}): Credentials["identify"] {
  const told =
    <Who>(find: (authorization: string | undefined) => Promise<Who>) =>
    (authorization: string | undefined): Promise<Who> => {
      onIdentify()
      return find(authorization)
    }
  return { ...identify, gate: told(identify.gate), runner: told(identify.runner) }
}

function tryingOut(policy: Policy): ConfigText {
  const nowhere = () => Promise.reject(new Error("there is no file"))
  const preview = { ok: true, problems: [], tightens: [], widens: [], other: [], policy }
  const withRules: ConfigText["withRules"] = () => ({ ok: false, why: "there is no file" })
  const proposed = async () => null
  return { read: nowhere, preview: async () => preview, proposed, save: nowhere, withRules, written: String }
}

export function clientAt(server: Pick<Server, "fetch">, key: DeviceKey, clock: TestClock): Client {
  return createClient({
    url,
    fetch: async (input, init) => server.fetch(new Request(input as string, init)),
    sign: (request) => signProof({ key, ...request, now: clock.now }),
  })
}

async function openStore(kind: "memory" | "sqlite", clock: TestClock) {
  if (kind === "memory") return { store: memoryStore(clock), dispose: () => {} }
  const folder = mkdtempSync(join(tmpdir(), "byleave-api-"))
  const path = join(folder, "byleave.db")
  const store = await openSqliteStore({
    path,
    hasher: nodeHasher,
    signer,
    newId,
    now: () => clock.now,
    elapsed: () => 0,
  })
  return { store, dispose: () => rmSync(folder, { recursive: true }) }
}

/** The value, or the test ends with the problem. */
export function must<Value>(
  reply:
    | { readonly ok: true; readonly value: Value }
    | { readonly ok: false; readonly problem: { readonly code: string; readonly detail: string } },
): Value {
  if (reply.ok) return reply.value
  throw new Error(`${reply.problem.code}: ${reply.problem.detail}`)
}

/** The code of a refusal; "ok" when there was none. */
export function codeOf(reply: { readonly ok: boolean; readonly problem?: { readonly code: string } }): string {
  return reply.ok ? "ok" : (reply.problem?.code ?? "")
}
