import { statSync } from "node:fs"
import type { Client, ServerView } from "@byleave/api"
import { ownNameWarning } from "@byleave/core"
import type { Config } from "@byleave/formats"
import type { Finding } from "../commands/service/doctor.ts"
import type { Io } from "../io.ts"
import { connect } from "../reach/connect.ts"
import { type FoundService, findService } from "../reach/find-service.ts"
import { readServiceFile } from "../reach/service-file.ts"
import { hasSealedKey, readClearKey } from "../reach/terminal-keys.ts"
import { loadFile } from "../service/config/load-file.ts"
import { findConfig, noConfig } from "./find-config.ts"
import {
  type FoundModelServer,
  findModelServers,
  type ModelServerKind,
  modelLines,
  modelServerKinds,
  usesServer,
} from "./find-model-servers.ts"
import { countOf } from "./problem-lines.ts"

export type Examined = { readonly findings: readonly Finding[]; readonly isRunning: boolean }

type Where = { readonly data: string; readonly url: string | undefined; readonly config: string | undefined }

/** Looks at everything that has to be well for a call to be held and answered. Changes nothing. */
export async function examine(where: Where, io: Io, kinds = modelServerKinds): Promise<Examined> {
  const found = await findService({ data: where.data, url: where.url })
  const started = where.url === undefined && !("missing" in found) ? readServiceFile(where.data) : undefined
  const config = where.config ?? started?.config
  const file = openConfig({ ...where, config }, io)
  const outside = [folderFinding(where.data), ...file.findings, ...(await modelFindings(file.config, kinds))]
  if ("missing" in found) return { findings: [...outside, fail("service", found.missing)], isRunning: false }
  const running = ok(
    "service",
    `Byleave ${found.hello.version} is running at ${found.url}${found.pid === null ? "" : `; process ${found.pid}`}.`,
  )
  return { findings: [...outside, running, presenceFinding(found), ...(await inside(found, io))], isRunning: true }
}

function finding(state: Finding["state"]) {
  return (about: Finding["about"], sentence: string): Finding => ({ about, state, sentence })
}
const ok = finding("ok")
const warn = finding("warn")
const fail = finding("fail")

function folderFinding(data: string): Finding {
  try {
    const isOpen = (statSync(data).mode & 0o077) !== 0 && process.platform !== "win32"
    return isOpen ? fail("data", `Other users can read ${data}. Restrict it with chmod 700.`) : ok("data", `${data}`)
  } catch {
    return fail("data", `${data} does not exist yet. Run \`byleave init\`.`)
  }
}

type OpenedConfig = { readonly findings: readonly Finding[]; readonly config?: Config }

function openConfig({ config, data }: Where, io: Io): OpenedConfig {
  const file = findConfig(config, data, io)
  if (file === undefined) return { findings: [fail("configuration", noConfig(config, data, io).split("\n")[0] ?? "")] }
  const loaded = loadFile(file, io)
  if (!loaded.ok) {
    const places = loaded.problems.map(({ where, line, column, message }) => `${where}:${line}:${column} ${message}`)
    return { findings: [fail("configuration", [loaded.error, ...places].join("\n"))] }
  }
  const { servers, policy } = loaded.config
  const summary = `${file}: ${countOf(servers.length, "server")}, ${countOf(policy.rules.length, "rule")}.`
  const findings = [
    ok("configuration", summary),
    ...loaded.warnings.map(({ where, line, message }) => warn("configuration", `${where}:${line} ${message}`)),
  ]
  return { findings, config: loaded.config }
}

/** The configured models, and the model servers on this machine that could be added. */
async function modelFindings(
  config: Config | undefined,
  kinds: readonly ModelServerKind[],
): Promise<readonly Finding[]> {
  if (config === undefined) return []
  const usable = config.models.filter((model) => model.config !== null).map(({ name }) => name)
  const own = usable.length === 0 ? [] : [ok("models", `${usable.join(", ")}; ${usable[0]} is the default.`)]
  const found = await findModelServers(kinds.filter((kind) => !usesServer(config, kind)))
  return [...own, ...found.map((server) => offer(server, config.models.length === 0))]
}

function offer(server: FoundModelServer, isFirst: boolean): Finding {
  const where = isFirst ? "add this to byleave.yaml" : "add this under `models:` in byleave.yaml"
  const sentence = `${server.name} runs on this machine with ${countOf(server.models.length, "model")}. To use it for agent runs, ${where}:`
  return { ...ok("models", sentence), yaml: modelLines(server, isFirst) }
}

function presenceFinding({ hello }: FoundService): Finding {
  return hello.presence === "pin"
    ? ok("presence", "Approving calls requires the PIN.")
    : warn(
        "presence",
        "Presence is none: anyone with a reviewer's credential can approve, including an agent that runs as you.",
      )
}

/** The findings that only a reviewer may see; without a reviewer's key, nobody can answer from here. */
async function inside(found: FoundService, io: Io): Promise<readonly Finding[]> {
  const connected = await connect(found, "looking", io)
  if ("problem" in connected) return [fail("reviewers", connected.problem)]
  const { client } = connected
  return [
    ...(await reviewerFindings(client, found)),
    ...(await terminalFindings(client, found)),
    ...(await changeFindings(client)),
    ...(await serverFindings(client)),
    ...(await storeFindings(client)),
  ]
}

async function reviewerFindings(client: Client, { hello }: FoundService): Promise<readonly Finding[]> {
  const reply = await client.listReviewers()
  if (!reply.ok) return [fail("reviewers", reply.problem.detail)]
  const able = reply.value.items.filter(({ hasPin }) => hasPin || hello.presence === "none")
  if (able.length === 0) return [fail("reviewers", "Nobody can approve calls. Run `byleave init` and choose a PIN.")]
  const names = able.map(({ id }) => id).join(", ")
  const waiting = await client.listApprovals({ query: { status: "pending", limit: 500 } })
  const count = waiting.ok ? waiting.value.items.length : 0
  return [ok("reviewers", `${names} can approve; ${countOf(count, "waiting call")}.`)]
}

/** A terminal has two keys; the one that approves can be signed out alone, and is not tried without the PIN. */
async function terminalFindings(client: Client, { data, hello }: FoundService): Promise<readonly Finding[]> {
  const key = readClearKey(data)
  const reply = await client.listDevices()
  if (!reply.ok || key === undefined || hello.presence === "none" || !hasSealedKey(data)) return []
  const known = new Set(reply.value.items.map(({ id }) => id))
  return key.devices.every((device) => known.has(device)) ? [] : [fail("presence", signedOut)]
}

const signedOut = "This terminal was signed out and can no longer approve calls. Run `byleave init` to sign in again."

const heldBack =
  "Part of the file is not in effect and no longer waiting for approval. Revert it, or edit the file again (a comment is enough) to request approval again."

/** An edit that widens is not in force until somebody has said yes to it. */
async function changeFindings(client: Client): Promise<readonly Finding[]> {
  const reply = await client.listApprovals({ query: { status: "pending", server: "byleave", limit: 1 } })
  if (!reply.ok) return []
  if (reply.value.items.length > 0)
    return [warn("configuration", "An edit needs approval and is not in effect yet: see `byleave pending`.")]
  const file = await client.getPolicyText()
  return file.ok && !file.value.inForce ? [warn("configuration", heldBack)] : []
}

async function serverFindings(client: Client): Promise<readonly Finding[]> {
  const reply = await client.listServers()
  if (!reply.ok) return [fail("servers", reply.problem.detail)]
  const { items } = reply.value
  const [wrapped, own] = [items.filter(isWrapped), items.filter((server) => !isWrapped(server))]
  // Of those in the configuration, its own finding says it.
  const names = wrapped.map(({ id }) => ownNameWarning(id)).filter((warning) => warning !== null)
  const resembling = names.map((warning) => warn("servers", warning))
  if (own.length === 0) {
    return [
      ok("servers", "None configured; servers run through `byleave wrap` are managed by their clients."),
      ...resembling,
    ]
  }
  const findings = own.flatMap((server) => [
    serverFinding(server),
    ...(server.toolsCut === null ? [] : [warn("servers", `${server.id}: ${server.toolsCut}`)]),
  ])
  return [...findings, ...resembling]
}

function isWrapped({ transport }: ServerView): boolean {
  return transport === "program"
}

function serverFinding({ id, health, tools }: ServerView): Finding {
  const asked = tools.filter(({ effect }) => effect === "ask").length
  if (health.state === "idle" && health.lastConnectedAt === null) return warn("servers", `${id} has not connected yet.`)
  return health.state === "failing"
    ? fail("servers", `${id} is unreachable: ${health.lastError ?? "no reason given"}`)
    : ok("servers", `${id} is ${health.state}; ${asked} of ${countOf(tools.length, "tool")} need approval.`)
}

async function storeFindings(client: Client): Promise<readonly Finding[]> {
  const ready = await client.readyz()
  const store = ready.ok ? ok("store", "The store is available.") : fail("store", ready.problem.detail)
  const report = await client.verifyAudit()
  if (!report.ok) return [store, fail("audit", report.problem.detail)]
  return [
    store,
    report.value.ok
      ? ok("audit", "The audit trail is intact.")
      : fail("audit", "The audit trail is not intact: see `byleave audit verify`."),
  ]
}
