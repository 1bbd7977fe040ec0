import type { IncomingHttpHeaders } from "node:http"
import { wordHoldsMs } from "@byleave/api"
import type { CallerGate, OthersOfStore } from "@byleave/core"
import { newId } from "@byleave/core/node"
import { createGateway, type Gateway, type Identity } from "@byleave/gateway"
import { type Credentials, onTokenRevoked, type SessionFacts } from "@byleave/server"
import { openRequestsOf } from "../config/settings.ts"
import { isLocalRequest } from "../http/is-local-request.ts"
import { isLoopback } from "../http/listen.ts"
import type { Names } from "../http/may-listen.ts"
import { openSealer } from "../sealer.ts"
import { type ServiceBase, surroundingsOf } from "../service-base.ts"
import { createConversationRecords } from "./conversation-records.ts"
import type { Documents } from "./documents.ts"
import { gatewayServers } from "./gateway-servers.ts"
import { createHeldRequests } from "./held-requests.ts"
import { rulesResources } from "./rules-resources.ts"
import { createTaskRecords } from "./task-records.ts"

/** Other services commit to the store, and serve the same conversations. */
function withOthers(others: OthersOfStore, documents: Documents, now: () => number) {
  return { word: { ...others, holdsMs: wordHoldsMs }, heldRequests: createHeldRequests(documents, now) }
}

type GatewayParts = {
  readonly gate: CallerGate
  readonly facts: SessionFacts
  readonly credentials: Credentials
  readonly names: Names
}

const anonymousAgent: Identity = { principal: { id: "anonymous" }, namesSessions: false }

/** The service's gateway: agents in front by their tokens, the configured servers behind. */
export async function openGateway(
  base: ServiceBase,
  { gate, facts, credentials, names }: GatewayParts,
): Promise<Gateway> {
  const { live, opened, io, log, onTrouble, atEnd } = base
  const conversations = createConversationRecords(opened.documents, opened.store, io.now, onTrouble)
  atEnd(conversations.stop)
  const isOpen = (): boolean => live.inForce.settings.anonymous && isLoopback(base.host) && !base.behindProxy
  const anonymous = (headers: IncomingHttpHeaders): Identity | null =>
    headers.authorization === undefined && isOpen() && isLocalRequest(headers) ? anonymousAgent : null
  const identify = (headers: IncomingHttpHeaders): Identity | null | Promise<Identity | null> => {
    const agent = credentials.identify.agent(headers.authorization)
    return agent instanceof Promise ? agent.then((known) => known ?? anonymous(headers)) : (agent ?? anonymous(headers))
  }
  // What a server lists is read for all its agents, whoever's request connected to it.
  const listing: Pick<CallerGate, "seeTools" | "offeredTools" | "seeInstructions"> = {
    seeTools: (...listed) => opened.forAll(() => gate.seeTools(...listed)),
    offeredTools: (...listed) => opened.forAll(() => gate.offeredTools(...listed)),
    seeInstructions: (...listed) => opened.forAll(() => gate.seeInstructions(...listed)),
  }
  const { others } = opened.store
  const gateway = createGateway({
    ...{
      gate: { ...gate, ...listing },
      conversations,
      now: io.now,
      newId,
      log: log.info,
      redact: base.redactor.redactText,
      ...names,
    },
    servers: gatewayServers(live.inForce, surroundingsOf(base)),
    // Requests through a proxy come from elsewhere, though its connections come from here.
    fastPath: base.fastPath && !base.behindProxy,
    sealer: await openSealer(opened.documents),
    tasks: createTaskRecords(opened.documents),
    identify,
    ...(others === undefined ? {} : withOthers(others, opened.documents, io.now)),
    ...{ bodies: base.bodies, unread: base.unread, judging: base.judging },
    asReader: (principal, work) => opened.asReader(`agent ${principal}`, work),
    openRequests: () => openRequestsOf(live.inForce.settings, live.inForce.policy.limits),
    inbox: () => `${live.address.url}/`,
    onCaller: facts.see,
    unknownParams: () => live.inForce.policy.unknownParams,
    rulesResources: (server) => rulesResources(live.inForce.policy, server),
    get decideInClient() {
      return live.inForce.settings.decideInClient
    },
  })
  atEnd(() => gateway.close())
  const ports = { store: opened.store, identify: credentials.identify, onTrouble }
  atEnd(onTokenRevoked(ports, ({ token, until }) => gateway.endRevoked(token, until)))
  return gateway
}
