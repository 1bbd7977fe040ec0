import { readFileSync } from "node:fs"
import type { ConfigProblem } from "@byleave/formats"
import type { ServeOptions } from "../commands/service/serve.ts"
import { findConfig, noConfig } from "../config/find-config.ts"
import { problemLines } from "../config/problem-lines.ts"
import { type CommandFailure, reportFailure } from "../failure.ts"
import { dataFolder, openDataFolder } from "../files/data-folder.ts"
import { takeFolderLock } from "../files/folder-lock.ts"
import type { ExitCode, Io } from "../io.ts"
import { readServiceFile } from "../reach/service-file.ts"
import { chosenStore, keepStore } from "../store/chosen-store.ts"
import { isStore } from "../store/is-store.ts"
import { asIs, createPaint, safeLines, sentenceLines } from "../terminal/paint.ts"
import { version } from "../version.ts"
import { openService, type Service } from "./open-service.ts"
import { createLog, type Log } from "./process/log.ts"
import { ServiceError } from "./service-error.ts"
import { reportServers, serverLines, startText, unmatchedRules } from "./start-report.ts"

/** Runs a service until somebody asks it to stop. */
export async function serve(options: ServeOptions, io: Io): Promise<ExitCode> {
  const fail = (failure: CommandFailure): ExitCode => {
    reportFailure(failure, options.json === true, io)
    return failure.code === "wrong-use" ? 2 : 1
  }
  if ((options.tlsCert === undefined) !== (options.tlsKey === undefined)) {
    return fail({ error: "--tls-cert and --tls-key must be used together.", code: "wrong-use" })
  }
  const data = dataFolder(options.data, io)
  const file = findConfig(options.config, data, io)
  if (file === undefined) return fail({ error: noConfig(options.config, data, io) })
  openDataFolder(data)
  const lock = takeFolderLock(data, "service")
  if (lock === null) return fail({ error: alreadyServed(data) })
  try {
    return await run(options, data, file, io)
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause
    return fail({ error: cause.message, problems: cause.problems })
  } finally {
    lock.free()
  }
}

function alreadyServed(data: string): string {
  const running = readServiceFile(data)
  const who = running === undefined ? "Another Byleave" : `Byleave (process ${running.pid}) at ${running.url}`
  return `${who} is already running on ${data}. Use it, stop it, or specify another folder with --data.`
}

const lingerMs = 1_000

async function run(options: ServeOptions, data: string, file: string, io: Io): Promise<ExitCode> {
  const stopped = io.untilStopped()
  const paint = createPaint(io.stderr, io.env)
  const store = checkedStore(options, data, io)
  const log = {
    format: options.log,
    level: options.logLevel,
    write: (text: string) => io.stderr.write(options.log === "json" ? asIs(text) : text),
  }
  const service = await openService({
    ...{ data, file, store },
    host: options.host,
    port: options.port,
    orAnyPort: options.orAnyPort === true,
    background: options.background === true,
    isDemo: options.demo === true,
    tls: readTls(options),
    behindProxy: options.behindProxy === true,
    fastPath: options.fastPath,
    io,
    log,
    onProblems: (error, problems) => {
      if (options.log === "json") logProblems(createLog({ ...log, now: io.now }), error, problems)
      else io.stderr.write(`${problemLines(problems, paint)}${safeLines(error)}\n`)
    },
  })
  keepStore(data, store)
  try {
    await sayStarted(service, file, options, io)
    sayServers(service, options, io).catch((cause: unknown) => service.log.error(String(cause)))
    await stopped
    service.log.info("Stopping: waiting for running calls to finish. Press Ctrl+C again to stop immediately.")
  } finally {
    await service.close()
    // Leftovers of a part, such as a child that does not exit, keep nobody waiting.
    setTimeout(() => process.exit(), lingerMs).unref()
  }
  return 0
}

function checkedStore(options: ServeOptions, data: string, io: Io): string {
  const chosen = chosenStore(data, options.store, io)
  if ("problem" in chosen) throw new ServiceError(chosen.problem)
  if (isStore(chosen.store)) return chosen.store
  throw new ServiceError("BYLEAVE_STORE must be sqlite or an address that starts with postgres://.")
}

function readTls({ tlsCert, tlsKey }: ServeOptions) {
  if (tlsCert === undefined || tlsKey === undefined) return null
  try {
    return { cert: readFileSync(tlsCert), key: readFileSync(tlsKey) }
  } catch (cause) {
    throw new ServiceError(`Cannot read the TLS certificate or key: ${cause instanceof Error ? cause.message : cause}`)
  }
}

async function sayStarted(service: Service, config: string, options: ServeOptions, io: Io): Promise<void> {
  const { settings } = service.inForce()
  const servers = service.gateway.servers().map(({ id }) => id)
  const { url } = service
  const facts = {
    ...(await service.facts()),
    version,
    url,
    servers,
    config,
    presence: settings.presence,
    anonymous: settings.anonymous,
  }
  if (options.json === true)
    io.stdout.write(asIs(`${JSON.stringify({ event: "listening", pid: process.pid, ...facts, mcp: `${url}/mcp` })}\n`))
  else io.stdout.write(startText(facts, createPaint(io.stdout, io.env)))
}

/** R25: after connecting, how many tools need confirmation; and rules that match none of them. */
async function sayServers(service: Service, { log }: ServeOptions, io: Io): Promise<void> {
  const reports = await reportServers(service.gateway, service.gate)
  const unmatched = unmatchedRules(service.inForce().policy, service.gateway)
  if (log === "json") {
    for (const report of reports) {
      const level = report.problem === null ? "info" : "warn"
      service.log[level](serverLines([report], (_, text) => text).trimEnd(), { server: report.id })
    }
    for (const sentence of unmatched) service.log.warn(sentence)
    return
  }
  const paint = createPaint(io.stderr, io.env)
  io.stderr.write(service.redact(serverLines(reports, paint)))
  for (const sentence of unmatched) io.stderr.write(`${paint("yellow", "warning")} ${sentenceLines(sentence)}\n`)
}

/** Problems of the configuration as entries, each with its place. */
function logProblems(log: Log, error: string, problems: readonly ConfigProblem[]): void {
  for (const { severity, message, where, line, column } of problems) {
    log[severity === "error" ? "error" : "warn"](message, { file: where, line, column })
  }
  log.info(error)
}
