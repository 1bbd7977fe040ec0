/** The running service: store, gate, gateway, API and listener put together, and taken apart again in the opposite order. */
import { dirname } from "node:path"
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises"
import { createJudgingTurns, createRedactor, createUnreadBudget, type Gate, isRunPrincipal } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import type { ServerConfig } from "@byleave/formats"
import type { Gateway } from "@byleave/gateway"
import { type ConfigText, type Credentials, createCredentials, createSessionFacts, isRevoked } from "@byleave/server"
import { pinHash } from "../files/pin-hash.ts"
import { announce } from "./announce.ts"
import { findAccepted } from "./config/accepted-config.ts"
import { keepFile } from "./config/keep-file.ts"
import { createLiveRedactor } from "./config/live-redactor.ts"
import { type LoadedFile, loadFile } from "./config/load-file.ts"
import { pinProblem } from "./config/pin-problem.ts"
import { type InForce, secretsInForce } from "./config/plan-change.ts"
import { groupsOf } from "./config/settings.ts"
import { configReader, startingConfig } from "./config/starting-config.ts"
import { openGateway } from "./gateway/open-gateway.ts"
import { openOwners, owningServers } from "./gateway/own-servers.ts"
import { startWords } from "./gateway/server-start.ts"
import { createAgentBodies } from "./http/agent-bodies.ts"
import { listenProblem, type Names, namesOf } from "./http/may-listen.ts"
import { openFront } from "./open-front.ts"
import { openGate } from "./open-gate.ts"
import { openStore } from "./open-store.ts"
import { createLog, type Log } from "./process/log.ts"
import { openRuns } from "./runs/open-runs.ts"
import type { EndStep, ServiceBase, ServiceOptions } from "./service-base.ts"
import { ServiceError } from "./service-error.ts"

export type Service = {
  readonly url: string
  readonly gate: Gate
  readonly gateway: Gateway
  readonly inForce: () => InForce
  /** Takes out every configured secret. */
  readonly redact: (text: string) => string
  readonly facts: () => Promise<{ readonly hasReviewer: boolean; readonly waiting: number }>
  readonly log: Log
  readonly close: () => Promise<void>
}

/** Rejects with a `ServiceError` that says what to do; nothing is left running then. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const redactor = createLiveRedactor()
  const log = createLog({ ...options.log, now: options.io.now, redact: redactor.redactText })
  const onTrouble = (trouble: unknown): void => log.error(wordsOf(trouble))
  const steps: EndStep[] = []
  const atEnd = (step: EndStep): void => void steps.push(step)
  const close = async (): Promise<void> => {
    for (const step of steps.splice(0).reverse()) await Promise.resolve(step()).catch(onTrouble)
  }
  try {
    const opened = await openInside(options, { log, redactor, onTrouble, atEnd })
    return { ...opened, log, redact: redactor.redactText, close }
  } catch (cause) {
    await close()
    if (cause instanceof ServiceError) throw cause
    throw new ServiceError(redactor.redactText(wordsOf(cause)), [], { cause })
  }
}

type Around = Pick<ServiceBase, "log" | "redactor" | "onTrouble" | "atEnd">

async function openInside(options: ServiceOptions, around: Around): Promise<Omit<Service, "log" | "redact" | "close">> {
  const { redactor, atEnd } = around
  const loaded = readFile(options)
  redactor.learn(passwordsIn(options.store))
  const opened = await openStore(options.data, options.store, options.io.now, true)
  atEnd(() => opened.store.close())
  const folder = dirname(options.file)
  // Replicas may keep their files wherever they like.
  const read = await configReader(opened.documents, opened.isShared ? "" : folder)
  const startWordsOf = (server: ServerConfig): string => startWords(server, folder)
  const proposed = read(loaded.config)
  await mustHavePin(options, opened, proposed)
  const start = await startingConfig(opened.documents, proposed, opened.isShared, startWordsOf)
  redactor.learn(secretsInForce(start.now))
  const live = { inForce: start.now, address: { url: "", host: options.host, port: 0 }, followPolicy: async () => {} }
  const configText = Promise.withResolvers<ConfigText>()
  const bodies = createAgentBodies(() => live.inForce.settings)
  const unread = createUnreadBudget(options.io.now)
  const judging = createJudgingTurns({ now: options.io.now, pause: pauseFor })
  const base: ServiceBase = {
    ...options,
    ...around,
    opened,
    live,
    bodies,
    unread,
    judging,
    configText: configText.promise,
  }

  logEvents(base)
  const facts = openFacts(base)
  const { gate, judged } = await openGate(base, facts)
  const credentials = openCredentials(base)
  await warnOfReservedTokens(base, credentials)
  const names = allowedNames(base)
  const owners = await openOwners(base, credentials)
  const gateway = await openGateway(base, { gate: owningServers(gate, owners), facts, credentials, names })
  const runsBase = {
    ...base,
    models: () => live.inForce.models,
    address: () => live.address.url,
    stateSecret: stateSecretOf(base),
  }
  const runs = openRuns(runsBase, {
    gate,
    gateway,
    store: opened.store,
    isRevoked: (run) => isRevoked(credentials.identify, run),
  })
  const listening = await openFront(base, { gate, gateway, runs, facts, judged, credentials, owners, names })
  const kept = await keepFile(base, { loaded, start, read, wordsOf: startWordsOf, gate, gateway, credentials })
  configText.resolve(kept.configText)
  announce(base, listening)
  void runs.takeUp().catch(base.onTrouble)
  return {
    url: listening.url,
    gate,
    gateway,
    inForce: kept.keeper.inForce,
    facts: () => factsOf(base, credentials),
  }
}

function readFile(options: ServiceOptions): Extract<LoadedFile, { ok: true }> {
  const loaded = loadFile(options.file, options.io)
  if (!loaded.ok) throw new ServiceError(loaded.error, loaded.problems)
  if (loaded.warnings.length > 0) options.onProblems(`${options.file} is valid.`, loaded.warnings)
  return loaded
}

/** For an edit made while no service ran, see pin-problem.ts. The first start accepts the file as it is; `init` has told what it lacks. */
async function mustHavePin(
  { file, io }: ServiceOptions,
  { store, documents, isShared }: ServiceBase["opened"],
  { settings }: InForce,
): Promise<void> {
  const before = (await findAccepted(documents))?.accepted.settings
  if (before === undefined || isShared) return
  const ports = { store, now: io.now, hasher: nodeHasher, redactor: createRedactor(), pinHash }
  const credentials = createCredentials({ ...ports, presence: () => settings.presence })
  const why = await pinProblem(before, settings, credentials)
  await credentials.close()
  if (why !== null) throw new ServiceError(`${file}: ${why}`)
}

/** Logs every change in the store, of all processes: for people who look for a fault. */
function logEvents({ log, opened, atEnd }: ServiceBase): void {
  if (log.level !== "debug") return
  atEnd(opened.store.subscribe(({ type, subject, seq }) => log.debug("Event", { type, subject, seq })))
}

function passwordsIn(store: string): readonly string[] {
  if (store === "sqlite" || !URL.canParse(store)) return []
  const { password } = new URL(store)
  return password === "" ? [] : [password, decodeURIComponent(password)]
}

function openFacts({ opened, io, redactor, onTrouble, atEnd }: ServiceBase) {
  const facts = createSessionFacts({ store: opened.store, now: io.now, hasher: nodeHasher, redactor, onTrouble })
  atEnd(facts.close)
  return facts
}

function openCredentials({ opened, io, redactor, live, atEnd }: ServiceBase): Credentials {
  const credentials = createCredentials({
    ...{ store: opened.store, now: io.now, hasher: nodeHasher, redactor, pinHash },
    presence: () => live.inForce.settings.presence,
    groupsOf: (reviewer) => groupsOf(live.inForce.settings, reviewer),
    forAll: opened.forAll,
  })
  atEnd(() => credentials.close())
  return credentials
}

/** Such a token was made before its name came to stand for Byleave's own agent runs: nobody gets in with it. */
async function warnOfReservedTokens({ log }: ServiceBase, credentials: Credentials): Promise<void> {
  const names = (await credentials.listTokens()).map(({ id }) => id)
  for (const name of names.filter((id) => isRunPrincipal(id.toLowerCase()))) {
    const words = `The token ${name} is refused: that name now stands for Byleave's own agent runs.`
    log.warn(`${words} Revoke it with byleave tokens revoke ${name}, and add one with another name.`)
  }
}

/** Runs that are carried between two Byleaves are sealed with what both were given; otherwise this one's own key does. */
function stateSecretOf({ io, opened, redactor }: ServiceBase): string {
  const given = io.env.get("BYLEAVE_STATE_KEY") ?? ""
  if (given === "") return opened.keys.digestKey
  if (given.length < 32) {
    throw new ServiceError(
      "BYLEAVE_STATE_KEY seals agent runs that are carried elsewhere, so it must not be guessed: give it at least 32 characters, such as those of openssl rand -base64 32.",
    )
  }
  redactor.learn([given])
  return given
}

/** The names it answers by; throws where it may not listen as it is told to. */
function allowedNames({ host, tls, behindProxy, live }: ServiceBase): Names {
  const door = { host, hasTls: tls !== null, behindProxy }
  const problem = listenProblem(door, live.inForce.settings)
  if (problem !== null) throw new ServiceError(problem)
  return namesOf(door, () => ({ at: live.address, settings: live.inForce.settings }))
}

async function factsOf({ opened }: ServiceBase, credentials: Credentials) {
  const reviewers = await credentials.listReviewers()
  return { hasReviewer: reviewers.length > 0, waiting: await opened.store.countApprovals({ statuses: ["pending"] }) }
}

/** A timer takes a millisecond at least. */
function pauseFor(ms: number): Promise<unknown> {
  return ms < 1 ? nextTurn() : pause(ms)
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
