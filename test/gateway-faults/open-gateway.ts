import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import {
  createGate,
  emptyPolicy,
  type Gate,
  type GateTimes,
  type Policy,
  parseTargetPattern,
  type Store,
} from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { createGateway, type Gateway, type GatewayServer, type GatewayTimes } from "@byleave/gateway"
import { createConversationRecords } from "../../apps/cli/src/service/gateway/conversation-records.ts"
import { createDocuments } from "../../apps/cli/src/service/gateway/documents.ts"
import { createTaskRecords } from "../../apps/cli/src/service/gateway/task-records.ts"
import { openSealer } from "../../apps/cli/src/service/sealer.ts"
import { openFrom, type StoreSpec } from "../faults/store-spec.ts"
import { type HoldBack, type Reached, watchGate, watchStore } from "./hooks.ts"

export type FaultGatewayOptions = {
  readonly spec: StoreSpec
  readonly servers: readonly GatewayServer[]
  /** This far ahead of the clock: the leases of whoever died before are over by then. */
  readonly ahead?: number
  readonly policy?: Policy
  readonly times?: Partial<GatewayTimes>
  readonly gateTimes?: Partial<GateTimes>
  readonly reached?: Reached
  readonly holdBack?: HoldBack
}

export type FaultGateway = {
  readonly url: string
  readonly gate: Gate
  readonly gateway: Gateway
  readonly store: Store
  readonly log: readonly string[]
  readonly close: () => Promise<void>
}

/** Everything asks, except what is named. */
export function askingPolicy(version: string, allowed: readonly string[] = [], denied: readonly string[] = []): Policy {
  const rules = [
    ...allowed.map((text) => ({ effect: "allow" as const, text })),
    ...denied.map((text) => ({ effect: "deny" as const, text })),
  ]
  return {
    ...emptyPolicy,
    version,
    rules: rules.map(({ effect, text }) => {
      const parsed = parseTargetPattern(text)
      if (!parsed.ok) throw new Error(parsed.problem)
      return { id: `${effect} ${text}`, effect, target: parsed.pattern, origin: { where: "faults" } }
    }),
    limits: { ...unlimited, denials: { count: 1_000_000, withinMs: 1 } },
  }
}

const unlimited = {
  waitingPerSession: 1_000_000,
  waitingPerPrincipal: 1_000_000,
  waitingInAll: 1_000_000,
  heldBytesPerPrincipal: 1_000_000_000,
  heldBytesInAll: 1_000_000_000,
}

/** A whole gateway on a durable store, as the service composes it, without credentials: everyone is `agent`. */
export async function openFaultGateway(options: FaultGatewayOptions): Promise<FaultGateway> {
  const { spec, servers, ahead = 0, reached = () => {} } = options
  const log: string[] = []
  const trouble = (what: unknown): void => void log.push(String(what))
  const now = () => Date.now() + ahead
  const store = watchStore(await openFrom(spec), reached, options.holdBack ?? (() => undefined))
  const gate = await createGate({
    policy: options.policy ?? askingPolicy("faults"),
    store,
    now,
    newId: randomUUID,
    hasher: nodeHasher,
    digestKey: "faults",
    onTrouble: trouble,
    ...(options.gateTimes === undefined ? {} : { times: options.gateTimes }),
  })
  const documents = createDocuments(store, now)
  const conversations = createConversationRecords(documents, store, now, trouble)
  const http = createServer((request, response) => {
    if (!gateway.handle(request, response)) response.writeHead(404).end()
  })
  const host = await new Promise<string>((resolve) => {
    http.listen(0, "127.0.0.1", () => resolve(`127.0.0.1:${(http.address() as AddressInfo).port}`))
  })
  const gateway = createGateway({
    gate: watchGate(gate, reached),
    servers,
    sealer: await openSealer(documents),
    conversations,
    tasks: createTaskRecords(documents),
    now,
    newId: randomUUID,
    identify: async ({ authorization }) => ({ principal: { id: authorization ?? "agent" }, namesSessions: true }),
    hosts: () => new Set([host]),
    origins: () => new Set(),
    inbox: () => `http://${host}/`,
    log: trouble,
    ...(options.times === undefined ? {} : { times: options.times }),
  })
  const timers = [
    setInterval(() => void gate.expireDue().catch(trouble), 200).unref(),
    setInterval(() => void gate.renewLeases().catch(trouble), 500).unref(),
  ]
  return {
    url: `http://${host}`,
    gate,
    gateway,
    store,
    log,
    close: async () => {
      for (const timer of timers) clearInterval(timer)
      const closed = new Promise((resolve) => http.close(resolve))
      await gateway.close()
      await gate.close()
      http.closeAllConnections()
      await closed
      conversations.stop()
      await store.close()
    },
  }
}
