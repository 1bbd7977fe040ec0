import { setImmediate as soon } from "node:timers/promises"
import type { Gate } from "@byleave/core"
import { newId, nodeHasher } from "@byleave/core/node"
import type { Gateway } from "@byleave/gateway"
import { type AgentSetup, type Credentials, createServer, type ServerOwners, type SessionFacts } from "@byleave/server"
import { getRequestListener } from "@hono/node-server"
import { policyPortsOf } from "../policy-ports.ts"
import { keepChallengeSecret, proofOf } from "../reach/challenge.ts"
import { version } from "../version.ts"
import type { AgentSetupPorts } from "./agent-setup.ts"
import { withRules, writtenText } from "./config/config-text.ts"
import { loadFile } from "./config/load-file.ts"
import type { InForce } from "./config/plan-change.ts"
import { policyAtGate } from "./config/reserved-rule.ts"
import { openRuleLanguages } from "./config/rule-languages.ts"
import { jsonSchema } from "./gateway/json-schema.ts"
import { reputationOf } from "./gateway/server-reputation.ts"
import { gateSockets } from "./http/gate-sockets.ts"
import { isLoopback, type Listening, listen } from "./http/listen.ts"
import type { Names } from "./http/may-listen.ts"
import { openPageRoutes } from "./http/page-routes.ts"
import { measuresOf } from "./process/measures.ts"
import type { OpenedRuns } from "./runs/open-runs.ts"
import type { ServiceBase } from "./service-base.ts"
import { listedTools } from "./start-report.ts"

type FrontParts = {
  readonly gate: Gate
  readonly gateway: Gateway
  readonly runs: OpenedRuns
  readonly facts: SessionFacts
  readonly judged: ReadonlyMap<string, number>
  readonly credentials: Credentials
  readonly owners: ServerOwners
  readonly names: Names
}

/** `/mcp…` is the gateway's, on Node's own request and response; everything else is the API's and the page's. */
export async function openFront(base: ServiceBase, parts: FrontParts): Promise<Listening> {
  const { live, onTrouble, atEnd } = base
  const { gate, gateway, runs, names } = parts
  const server = openApi(base, parts)
  const page = openPageRoutes({ refused: server.refused, addresses: names.addresses, address: () => live.address.url })
  const answer = getRequestListener((request) => page(request) ?? server.fetch(request))
  const listening = await listen({
    ...base,
    connections: live.inForce.settings.connections,
    attachFastPath: gateway.attachFastPath,
    handle: (request, response) => {
      if (!gateway.handle(request, response)) answer(request, response).catch(onTrouble)
    },
    upgrades: gateSockets(server.line, onTrouble),
  })
  live.address = listening
  atEnd(listening.close)
  atEnd(server.close)
  // Together: callers who wait get tickets from the gate, and the gateway carries these and ends what runs too long.
  atEnd(() => Promise.all([gate.close(), gateway.close()]))
  // Before the gate: a leg that stops leaves its run to the process that takes it up next.
  atEnd(runs.close)
  return listening
}

function openApi(base: ServiceBase, { gate, gateway, runs, facts, judged, credentials, owners, names }: FrontParts) {
  const { live, opened, io, redactor, onTrouble } = base
  const secret = keepChallengeSecret(base.data)
  return createServer({
    ...{
      gate,
      store: opened.store,
      credentials,
      owners,
      now: io.now,
      newId,
      hasher: nodeHasher,
      redactor,
      version,
      onTrouble,
    },
    ...names,
    signer: opened.keys.signer,
    policy: () => policyAtGate(live.inForce),
    policyPorts: policyPortsOf(io),
    validator: jsonSchema,
    servers: () =>
      gateway.servers().map((server) => {
        const reputation = reputationOf(live.inForce.settings.reputation, server.transport)
        const hasCredentials = isGivenSecrets(live.inForce, server.id)
        return { ...server, hasCredentials, ...(reputation === null ? {} : { reputation }) }
      }),
    isServed: gateway.serves,
    configText: {
      read: async () => (await base.configText).read(),
      preview: async (text) => (await base.configText).preview(text),
      proposed: async (approval) => (await base.configText).proposed(approval),
      save: async (saving) => (await base.configText).save(saving),
      withRules,
      written: writtenText,
    },
    ...(mayReachAgents(base) && {
      agentSetup: agentSetupOf({ ...base, credentials, address: () => live.address.url }),
    }),
    ruleLanguages: openRuleLanguages({
      readText: async () => (await base.configText).read(),
      inFile: () => {
        const loaded = loadFile(base.file, io)
        return loaded.ok ? loaded.config.policy : null
      },
      inForce: () => live.inForce.policy,
      catalogue: () => listedTools(gateway),
    }),
    restartServer: gateway.restart,
    stopServer: gateway.stop,
    startServer: gateway.start,
    callTool: gateway.call,
    agentRuns: runs,
    runs: { whyNot: gateway.whyNotRun, prepare: gateway.prepareRun },
    ...{ bodies: base.bodies, unread: base.unread },
    turns: { soon },
    asReader: opened.asReader,
    isDemo: base.isDemo,
    sessionFacts: facts,
    isListening: gateway.isListening,
    decidesInClient: () => live.inForce.settings.decideInClient,
    address: () => live.address.url,
    proveService: (challenge, address) => proofOf(secret, challenge, address),
    measures: () => measuresOf(gateway, judged),
  })
}

/** Loaded when somebody looks: most services never need what reads the files of agents. */
function agentSetupOf(ports: AgentSetupPorts): AgentSetup {
  let opened: Promise<AgentSetup> | undefined
  const open = () => {
    opened ??= import("./agent-setup.ts").then(({ openAgentSetup }) => openAgentSetup(ports))
    return opened
  }
  return {
    look: async () => (await open()).look(),
    run: async (version, by) => (await open()).run(version, by),
    undo: async (version, by) => (await open()).undo(version, by),
  }
}

/** Whether only this machine reaches the service, and it is somebody's own. */
function mayReachAgents({ host, behindProxy, isDemo }: ServiceBase): boolean {
  return isLoopback(host) && !behindProxy && !isDemo
}

/** The variables that every child gets from the environment are no credentials: only those that the configuration itself gives count. */
function isGivenSecrets({ servers }: InForce, id: string): boolean {
  const transport = servers.find(({ config }) => config?.id === id)?.config?.transport
  if (transport === undefined) return false
  return (transport.kind === "stdio" ? transport.env : transport.headers).size > 0
}
