/** The running service: store, gate, gateway, API and listener put together, and taken apart again in the opposite order. */
import type { IncomingHttpHeaders } from "node:http"
import { dirname } from "node:path"
import { type BodyBudget, type Change, createBodyBudget, createGate, type Gate, type Store } from "@byleave/core"
import { newId, nodeHasher } from "@byleave/core/node"
import type { Problem } from "@byleave/formats"
import { createGateway, type Gateway, type Identity } from "@byleave/gateway"
import {
  type ConfigText,
  type Credentials,
  createCredentials,
  createServer,
  createSessionFacts,
  type SessionFacts,
  seeingGate,
} from "@byleave/server"
import { getRequestListener } from "@hono/node-server"
import { keepChallengeSecret, proofOf } from "../challenge.ts"
import type { Io } from "../io.ts"
import { pinHash } from "../pin-hash.ts"
import { removeServiceFile, writeServiceFile } from "../service-file.ts"
import { version } from "../version.ts"
import { shownTextOf } from "./accepted-text.ts"
import { openConfigText, ruleLines } from "./config-text.ts"
import { createConversationBook } from "./conversation-book.ts"
import { countJudged } from "./count-judged.ts"
import { followFile } from "./follow-file.ts"
import { gateLines } from "./gate-lines.ts"
import { keepGateToken } from "./gate-token.ts"
import { gatewayServers } from "./gateway-servers.ts"
import { isLocalRequest } from "./is-local-request.ts"
import { jsonSchema } from "./json-schema.ts"
import { keepConfig } from "./keep-config.ts"
import { isLoopback, type Listening, type ListenOptions, listen } from "./listen.ts"
import { createLiveRedactor, type LiveRedactor } from "./live-redactor.ts"
import { type LoadedFile, loadFile } from "./load-file.ts"
import { listenProblem, type Names, namesOf } from "./may-listen.ts"
import { measuresOf } from "./measures.ts"
import { type OpenedStore, openStore } from "./open-store.ts"
import { openPageDoor } from "./page-door.ts"
import type { InForce } from "./plan-change.ts"
import { withReservedRule } from "./reserved-rule.ts"
import { openSealer } from "./sealer.ts"
import { startWords } from "./server-start.ts"
import { ServiceError } from "./service-error.ts"
import { bodyLimitsOf, groupsOf, openRequestsOf } from "./settings.ts"
import { listedTools } from "./start-report.ts"
import { configReader, startingConfig, textVersions } from "./starting-config.ts"
import { createTaskBook } from "./task-book.ts"
import { keepTime } from "./timers.ts"

export type ServiceOptions = Omit<ListenOptions, "handle" | "connections" | "attachFastPath" | "upgrades"> & {
  readonly data: string
  /** The configuration. */
  readonly file: string
  readonly store: string
  readonly behindProxy: boolean
  /** Whether a wrap started it. */
  readonly background: boolean
  /** Whether usual requests of this machine are read without node:http. */
  readonly fastPath: boolean
  readonly io: Pick<Io, "env" | "home" | "platform" | "now" | "realPaths">
  /** One line for the log; never holds a secret or an argument. */
  readonly log: (line: string) => void
  /** A configuration that cannot be used, or has oddities. */
  readonly onProblems: (error: string, problems: readonly Problem[]) => void
}

export type Service = {
  readonly url: string
  readonly gate: Gate
  readonly gateway: Gateway
  readonly inForce: () => InForce
  /** Takes out every configured secret. */
  readonly redact: (text: string) => string
  readonly facts: () => Promise<{ readonly hasReviewer: boolean; readonly waiting: number }>
  readonly close: () => Promise<void>
}

/** What the parts share. */
type Base = ServiceOptions & {
  readonly redactor: LiveRedactor
  readonly opened: OpenedStore
  /** What is in force, and where we listen; both change. */
  readonly live: { inForce: InForce; address: Pick<Listening, "url" | "host" | "port"> }
  /** Once the configuration is kept. */
  readonly configText: Promise<ConfigText>
  /** Counts the bodies that agents and programs have open. */
  readonly bodies: BodyBudget
  readonly onTrouble: (trouble: unknown) => void
  /** What to do at the end; the last first. */
  readonly atEnd: (step: () => Promise<unknown> | unknown) => void
}

/** Rejects with a `ServiceError` that says what to do; nothing is left running then. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const redactor = createLiveRedactor()
  const log = (line: string): void => options.log(redactor.redactText(line))
  const onTrouble = (trouble: unknown): void => log(`Error: ${wordsOf(trouble)}`)
  const steps: Array<() => Promise<unknown> | unknown> = []
  const close = async (): Promise<void> => {
    for (const step of steps.splice(0).reverse()) await Promise.resolve(step()).catch(onTrouble)
  }
  const atEnd = (step: () => Promise<unknown> | unknown): void => void steps.push(step)
  try {
    const loaded = readFile(options, redactor)
    redactor.learn(passwordsIn(options.store))
    const opened = await openStore(options.data, options.store, options.io.now, true)
    atEnd(() => opened.store.close())
    const folder = dirname(options.file)
    // Replicas may keep their files wherever they like.
    const read = await configReader(opened.documents, opened.isShared ? "" : folder)
    const words = {
      wordsOf: (server: Parameters<typeof startWords>[0]) => startWords(server, folder, redactor.redactText),
    }
    const start = await startingConfig(opened.documents, read(loaded.config), opened.isShared, words.wordsOf)
    const live = { inForce: start.now, address: { url: "", host: options.host, port: 0 } }
    const configText = Promise.withResolvers<ConfigText>()
    const bodies = createBodyBudget(() => bodyLimitsOf(live.inForce.settings))
    const parts = { redactor, opened, live, bodies, configText: configText.promise, onTrouble, atEnd }
    const base: Base = { ...options, ...parts, log }
    const { gate, gateway, credentials, listening } = await openParts(base)
    const { store, documents } = opened
    const surroundings = surroundingsOf(options)
    const apply = async (next: InForce): Promise<void> => {
      live.inForce = next
      await gateway.replaceServers(gatewayServers(next, surroundings))
    }
    const keeper = await keepConfig(start.now, { gate, store, documents, apply, ...words, log, onTrouble })
    atEnd(keeper.stop)
    const { isShared } = opened
    const versionOf = await textVersions(documents)
    const textOf = (file: Parameters<typeof shownTextOf>[0]) =>
      isShared ? null : shownTextOf(file, redactor.redactText, versionOf)
    await keeper.propose(start.proposed, options.file, textOf(loaded))
    const following = followFile({
      ...{ file: options.file, text: loaded.text, io: options.io, onTrouble },
      onProblems: (error, problems) => {
        options.onProblems(error, problems)
        keeper.withdraw().catch(onTrouble)
      },
      onEdit: () => void store.commit(fileEdited(store.now(options.io.now()))).catch(onTrouble),
      onConfig: (edited) => {
        redactor.learn(edited.config.secrets)
        return keeper.propose(read(edited.config), options.file, textOf(edited))
      },
    })
    atEnd(following.stop)
    configText.resolve(
      openConfigText({
        ...{ file: options.file, io: options.io, isShared, keeper, redactor, read, versionOf },
        catalogue: () => listedTools(gateway),
        know: following.know,
      }),
    )
    await announce(base, credentials, listening)
    return {
      url: listening.url,
      gate,
      gateway,
      inForce: keeper.inForce,
      redact: redactor.redactText,
      facts: () => factsOf(base, credentials),
      close,
    }
  } catch (cause) {
    await close()
    if (cause instanceof ServiceError) throw cause
    throw new ServiceError(redactor.redactText(wordsOf(cause)), [], { cause })
  }
}

/** Pages that show the file look again. */
function fileEdited(at: number): Change {
  return { at, records: [], events: [{ type: "document.changed", subject: "policy/file" }], durability: "soon" }
}

function passwordsIn(store: string): readonly string[] {
  if (store === "sqlite" || !URL.canParse(store)) return []
  const { password } = new URL(store)
  return password === "" ? [] : [password, decodeURIComponent(password)]
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

function readFile(options: ServiceOptions, redactor: LiveRedactor): Extract<LoadedFile, { ok: true }> {
  const loaded = loadFile(options.file, options.io)
  if (!loaded.ok) throw new ServiceError(loaded.error, loaded.problems)
  redactor.learn(loaded.config.secrets)
  if (loaded.warnings.length > 0) options.onProblems(`${options.file} is valid.`, loaded.warnings)
  return loaded
}

function surroundingsOf({ io, file }: ServiceOptions) {
  return { env: io.env, platform: io.platform, folder: dirname(file) }
}

async function openParts(base: Base) {
  const { store } = base.opened
  const { store: counting, judged } = countJudged(store)
  const gate = await openGate(base, counting)
  const facts = createSessionFacts({ store, now: base.io.now, hasher: nodeHasher, onTrouble: base.onTrouble })
  base.atEnd(facts.close)
  const { redactor, live } = base
  const credentials = createCredentials({
    ...{ store, now: base.io.now, hasher: nodeHasher, redactor, pinHash },
    presence: () => live.inForce.settings.presence,
    groupsOf: (reviewer) => groupsOf(live.inForce.settings, reviewer),
  })
  base.atEnd(() => credentials.close())
  const door = { host: base.host, hasTls: base.tls !== null, behindProxy: base.behindProxy }
  const problem = listenProblem(door, live.inForce.settings)
  if (problem !== null) throw new ServiceError(problem)
  const names = namesOf(door, () => ({ at: live.address, settings: live.inForce.settings }))
  const gateway = await openGateway(base, seeingGate(gate, facts), facts, credentials, names)
  const listening = await openFront(base, { gate, gateway, facts, judged }, credentials, names)
  return { gate, gateway, credentials, listening }
}

async function openGate({ live, opened, io, redactor, onTrouble, atEnd }: Base, store: Store): Promise<Gate> {
  const { keys } = opened
  const gate = await createGate({
    policy: withReservedRule(live.inForce.policy),
    ...{ store, now: io.now, newId, hasher: nodeHasher, digestKey: keys.digestKey, redactor, onTrouble },
    validator: jsonSchema,
    realPaths: io.realPaths,
    caseInsensitivePaths: io.platform === "darwin" || io.platform === "win32",
    // A program that runs calls for us looks for a service every second.
    times: { returnMs: 15_000 },
  })
  atEnd(() => gate.close())
  const retention = () => live.inForce.settings.retention
  atEnd(keepTime({ gate, store, now: io.now, retention, onTrouble }))
  return gate
}

async function openGateway(
  base: Base,
  gate: Gate,
  facts: SessionFacts,
  credentials: Credentials,
  names: Names,
): Promise<Gateway> {
  const { live, opened, io, log, onTrouble, atEnd } = base
  const conversations = createConversationBook(opened.documents, opened.store, io.now, onTrouble)
  atEnd(conversations.stop)
  const isOpen = (): boolean => live.inForce.settings.anonymous && isLoopback(base.host) && !base.behindProxy
  const anonymous = (headers: IncomingHttpHeaders): Identity | null =>
    headers.authorization === undefined && isOpen() && isLocalRequest(headers)
      ? { principal: { id: "anonymous" }, namesSessions: false }
      : null
  const gateway = createGateway({
    ...{ gate, conversations, now: io.now, newId, log, redact: base.redactor.redactText, ...names },
    servers: gatewayServers(live.inForce, surroundingsOf(base)),
    // What a proxy passes on comes from elsewhere, though its connections come from here.
    fastPath: base.fastPath && !base.behindProxy,
    sealer: await openSealer(opened.documents),
    tasks: createTaskBook(opened.documents),
    identify: async (headers) => (await credentials.identify.agent(headers.authorization)) ?? anonymous(headers),
    bodies: base.bodies,
    openRequests: () => openRequestsOf(live.inForce.settings, live.inForce.policy.limits),
    inbox: () => `${live.address.url}/`,
    onCaller: facts.see,
    unknownParams: () => live.inForce.policy.unknownParams,
    get decideInClient() {
      return live.inForce.settings.decideInClient
    },
  })
  atEnd(() => gateway.close())
  return gateway
}

type Opened = {
  readonly gate: Gate
  readonly gateway: Gateway
  readonly facts: SessionFacts
  readonly judged: ReadonlyMap<string, number>
}

/** `/mcp…` is the gateway's, on Node's own request and response; everything else is the API's. */
async function openFront(
  base: Base,
  { gate, gateway, facts, judged }: Opened,
  credentials: Credentials,
  names: Names,
): Promise<Listening> {
  const { live, opened, io, redactor, onTrouble, atEnd } = base
  const secret = keepChallengeSecret(base.data)
  const server = createServer({
    ...{ gate, store: opened.store, credentials, now: io.now, newId, hasher: nodeHasher, redactor, version, onTrouble },
    ...names,
    signer: opened.keys.signer,
    policy: () => withReservedRule(live.inForce.policy),
    policyPorts: { realPaths: io.realPaths },
    validator: jsonSchema,
    servers: () =>
      gateway.servers().map((server) => ({ ...server, hasCredentials: isGivenSecrets(live.inForce, server.id) })),
    configText: {
      read: async () => (await base.configText).read(),
      preview: async (text) => (await base.configText).preview(text),
      proposed: async (approval) => (await base.configText).proposed(approval),
      save: async (saving) => (await base.configText).save(saving),
      written: ruleLines,
    },
    restartServer: gateway.restart,
    stopServer: gateway.stop,
    startServer: gateway.start,
    callTool: gateway.call,
    bodies: base.bodies,
    sessionFacts: facts,
    isListening: gateway.isListening,
    decidesInClient: () => live.inForce.settings.decideInClient,
    address: () => live.address.url,
    proveService: (challenge, address) => proofOf(secret, challenge, address),
    measures: () => measuresOf(gateway, judged),
  })
  const page = openPageDoor({ refused: server.refused, addresses: names.addresses, address: () => live.address.url })
  const answer = getRequestListener((request) => page(request) ?? server.fetch(request))
  const listening = await listen({
    ...base,
    connections: live.inForce.settings.connections,
    attachFastPath: gateway.attachFastPath,
    handle: (request, response) => {
      if (!gateway.handle(request, response)) answer(request, response).catch(onTrouble)
    },
    upgrades: gateLines(server.line, onTrouble),
  })
  live.address = listening
  atEnd(listening.close)
  atEnd(server.close)
  // Together: callers who wait get tickets from the gate, and the gateway carries these and ends what runs too long.
  atEnd(() => Promise.all([gate.close(), gateway.close()]))
  return listening
}

/** What every child gets of the surroundings is nobody's credential: only what the configuration itself gives counts. */
function isGivenSecrets({ servers }: InForce, id: string): boolean {
  const transport = servers.find(({ config }) => config?.id === id)?.config?.transport
  if (transport === undefined) return false
  return (transport.kind === "stdio" ? transport.env : transport.headers).size > 0
}

/** From here on others can find this service. */
async function announce(base: Base, credentials: Credentials, { url }: Listening): Promise<void> {
  await keepGateToken(base.data, credentials, newId)
  writeServiceFile(base.data, {
    version: 1,
    url: reachable(url),
    pid: process.pid,
    started: base.io.now(),
    config: base.file,
    ...(base.background ? { background: true } : {}),
  })
  base.atEnd(() => removeServiceFile(base.data, process.pid))
}

/** Where commands on this machine reach it: an address that stands for all of them is no place to go to. */
function reachable(url: string): string {
  return url.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")
}

async function factsOf({ opened }: Base, credentials: Credentials) {
  const reviewers = await credentials.listReviewers()
  return { hasReviewer: reviewers.length > 0, waiting: await opened.store.countApprovals({ statuses: ["pending"] }) }
}
