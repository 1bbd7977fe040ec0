import { dirname } from "node:path"
import type { JsonValue } from "@byleave/core"
import type { ServerConfig } from "@byleave/formats"
import {
  type ClientProgram,
  type ClientServer,
  type GatedServer,
  gateServers,
  movedServer,
  type SetupChange,
  type TokenText,
} from "@byleave/formats/clients"
import type { ClientFile, SetupMachine } from "./client-files.ts"
import type { WrappedServer } from "./own-wrap.ts"
import { planAllow } from "./plan-allow.ts"
import { addressIdentity, chooseName, entryIdentity, identityOf, type NameOwners } from "./server-names.ts"

/** The plan for one server of a client. */
export type ServerPlan = {
  readonly server: ClientServer
  /** Byleave's name for it. */
  readonly name: string
} & (
  | { readonly becomes: "wrapped" }
  | {
      readonly becomes: "addressed"
      readonly url: string
      /** Variables of the environment that Byleave sends it. */
      readonly takes: readonly string[]
      /** The sentence that asks about it as a change of byleave.yaml; null: it is there already. */
      readonly change: string | null
    }
  /** It is behind Byleave already. */
  | { readonly becomes: "same" }
  /** It stays as it is, for this reason. */
  | { readonly becomes: "left"; readonly why: string }
)

/** A new text for a file; `before` is null where there is no such file yet. */
export type FileEdit = {
  readonly client: ClientProgram
  readonly path: string
  readonly syntax: "json" | "toml" | "yaml"
  readonly before: string | null
  readonly after: string
  readonly changes: readonly SetupChange[]
}

export type PlannedFile = {
  readonly found: ClientFile
  readonly servers: readonly ServerPlan[]
  readonly edit: FileEdit | null
  /** The file in which the client is told not to ask, about which servers, and by which rules. */
  readonly allow: {
    readonly edit: FileEdit
    readonly servers: readonly string[]
    readonly rules: readonly string[]
  } | null
  readonly problem: { readonly path: string; readonly line: number; readonly message: string } | null
}

/** A server that goes into byleave.yaml, because Byleave has to reach it. */
export type ServerMove = {
  readonly name: string
  readonly client: string
  readonly entry: { readonly [key: string]: JsonValue }
  readonly url: string
}

export type SetupPlan = {
  readonly files: readonly PlannedFile[]
  readonly moves: readonly ServerMove[]
  /** Everything it was made from: a plan that follows it looks at nothing else. */
  readonly from: { readonly found: readonly ClientFile[]; readonly options: PlanOptions }
}

export type PlanOptions = {
  readonly machine: SetupMachine
  /** The words before `wrap` in a client's file. */
  readonly program: (found: Pick<ClientFile, "client" | "file">) => string
  /** Why a server that looks wrapped is not behind this Byleave, as a sentence; null: it is. */
  readonly whyNotOwn: (wrapped: WrappedServer) => string | null
  /** The variable of an entry by which something else may run in Byleave's place; null: none. */
  readonly steeringVariable: (started: Pick<WrappedServer, "env" | "hasEnvFile">) => string | null
  /** `--data FOLDER`, where the folder is not the usual one. */
  readonly dataWords: readonly string[]
  /** The service's origin. */
  readonly url: string
  readonly configured: readonly ServerConfig[]
  /** The sentence by which the service asks about a server that is new in byleave.yaml; null: it could not use it. */
  readonly changeOf: (name: string, entry: ServerMove["entry"]) => string | null
  /** Whether a path of the project leads out of it by a link. */
  readonly leadsOut: (path: string) => boolean
  readonly tokenOf: (client: string) => string
  /** The text of a file of permissions, read once; null: there is none. */
  readonly textOf: (path: string) => string | null
  /** Servers that cannot be moved after all, and why; by address. */
  readonly unmovable?: ReadonlyMap<string, string>
}

/** Where a token stands that a file of a project must not hold. */
export const tokenVariable = "BYLEAVE_TOKEN"

/** Says what setup would do with these files. Nothing is written. */
export function planSetup(found: readonly ClientFile[], options: PlanOptions): SetupPlan {
  const owners: NameOwners = new Map(options.configured.map((server) => [server.id, configuredIdentity(server)]))
  for (const file of found) claimNames(file, owners, options)
  const moves: ServerMove[] = []
  const allowed = new Map<string, FileEdit>()
  const files = found.map((file) => planFile(file, owners, moves, allowed, options))
  const isNew = ({ name }: ServerMove) => !options.configured.some(({ id }) => id === name)
  return { files, moves: moves.filter(isNew), from: { found, options } }
}

/** The same plan with what is known only after the yes: tokens, and servers that stay as they are. No file is looked at again. */
export function planAgain({ from }: SetupPlan, known: Partial<Pick<PlanOptions, "tokenOf" | "unmovable">>): SetupPlan {
  return planSetup(from.found, { ...from.options, ...known })
}

function configuredIdentity({ transport, written }: ServerConfig): string {
  const { kind, ...how } = written ?? transport
  return kind === "stdio" || !("url" in how) ? "configured" : addressIdentity(kind, how.url, how.headers)
}

/** Names that wrapped servers have already belong to their programs. */
function claimNames(file: ClientFile, owners: NameOwners, options: PlanOptions): void {
  if ("problem" in file) return
  for (const server of file.servers) {
    if (server.reached.kind !== "wrapped" || whyNotBehind(file, server.reached, options) !== null) continue
    const name = server.reached.wrap.name ?? server.name
    if (!owners.has(name)) owners.set(name, identityOf(placeOf(file, server, options)))
  }
}

function placeOf(file: ClientFile, server: ClientServer, { machine }: PlanOptions) {
  const [first, folder] = server.path
  const own = first === "projects" && folder !== undefined ? folder : null
  const cwd = own ?? (file.file.root === "project" ? machine.cwd : null) ?? machine.home ?? dirname(file.path)
  return { client: file.client.id, server, cwd, env: machine.env }
}

function planFile(
  file: ClientFile,
  owners: NameOwners,
  moves: ServerMove[],
  allowed: Map<string, FileEdit>,
  options: PlanOptions,
): PlannedFile {
  if ("problem" in file) {
    return { found: file, servers: [], edit: null, allow: null, problem: { path: file.path, ...file.problem } }
  }
  const servers = file.servers.map((server) => planServer(file, server, owners, moves, options))
  const gated = servers.flatMap((plan) => gatedServer(plan, file, options))
  const none = { found: file, servers, edit: null, allow: null, problem: null }
  if (gated.length === 0) return none
  const changed = gateServers(file.text, file.client, file.file, gated)
  const cannot = "This file is laid out in a way that cannot be changed safely. Change it by hand."
  if (changed === undefined) return { ...none, problem: { path: file.path, line: 1, message: cannot } }
  const { client, path } = file
  const edit: FileEdit = {
    client,
    path,
    syntax: file.file.syntax,
    before: file.text,
    after: changed.text,
    changes: changed.changes,
  }
  const allow = planAllow(file, [...new Set(gated.map(({ server }) => server.name))], allowed, options)
  if (allow !== null && "message" in allow) return { ...none, edit, problem: allow }
  return { ...none, edit, allow }
}

function planServer(
  file: ClientFile,
  server: ClientServer,
  owners: NameOwners,
  moves: ServerMove[],
  options: PlanOptions,
): ServerPlan {
  const { reached, name: own } = server
  if (reached.kind === "other") return { server, name: own, becomes: "left", why: reached.why }
  if (reached.kind === "wrapped") {
    const why = whyNotBehind(file, reached, options)
    if (why === null) return { server, name: reached.wrap.name ?? own, becomes: "same" }
    return { server, name: own, becomes: "left", why }
  }
  if (reached.kind === "address" && isOurs(reached.url, options.url)) return { server, name: own, becomes: "same" }
  if (reached.kind === "command") {
    const why = steeredBy(file, reached, options)
    if (why !== null) return { server, name: own, becomes: "left", why }
    return { server, name: chooseName(placeOf(file, server, options), owners), becomes: "wrapped" }
  }
  const why = addressProblem(file)
  const moved = movedServer(reached, file.client)
  const missing = moved.ok ? moved.needs.filter((name) => !options.machine.env.has(name)) : []
  if (why !== null) return { server, name: own, becomes: "left", why }
  if (!moved.ok) return { server, name: own, becomes: "left", why: moved.why }
  if (missing.length > 0) {
    return { server, name: own, becomes: "left", why: `it needs ${missing.join(", ")}, which is not set here.` }
  }
  // Its name is taken even where it stays, so that no other server gets another name than was shown.
  const { entry, takes } = moved
  const name = chooseName(placeOf(file, server, options), owners, entryIdentity(entry))
  const isThere = options.configured.some(({ id }) => id === name)
  const change = isThere ? null : options.changeOf(name, entry)
  const unmovable = options.unmovable?.get(reached.url) ?? (change === null && !isThere ? cannotUse : undefined)
  if (unmovable !== undefined) return { server, name: own, becomes: "left", why: unmovable }
  moves.push({ name, client: file.client.id, entry, url: reached.url })
  return { server, name, becomes: "addressed", url: `${options.url}/mcp/${encodeURIComponent(name)}`, takes, change }
}

const cannotUse = "Byleave cannot use its address or headers. Add it to byleave.yaml by hand."

function whyNotBehind(file: ClientFile, wrapped: WrappedServer, options: PlanOptions): string | null {
  return options.whyNotOwn(wrapped) ?? steeredBy(file, wrapped, options)
}

/** Why Byleave, started with what a project's file adds to its environment, may not be Byleave; people's own files are theirs to write. */
function steeredBy(
  { file }: ClientFile,
  started: Pick<WrappedServer, "env" | "hasEnvFile">,
  { steeringVariable }: PlanOptions,
): string | null {
  const name = file.root === "project" ? steeringVariable(started) : null
  if (name === null) return null
  return `the project's file sets ${name}, by which something else could run in Byleave's place. Add it to your own settings.`
}

function addressProblem(file: ClientFile): string | null {
  const isShared = file.file.root === "project" && file.client.reference === null && file.client.id !== "codex"
  return isShared
    ? "a token would have to stand in a file that the project may share. Add it to your own settings."
    : null
}

function isOurs(written: string, service: string): boolean {
  if (!URL.canParse(written)) return false
  const url = new URL(written)
  // On [::1] another program may listen at the same port.
  const isLocal = ["localhost", "127.0.0.1"].includes(url.hostname) && url.port === new URL(service).port
  return (url.origin === service || isLocal) && /^\/mcp(\/|$)/.test(url.pathname)
}

function gatedServer(plan: ServerPlan, file: ClientFile, options: PlanOptions): readonly GatedServer[] {
  const { server, name } = plan
  if (plan.becomes === "wrapped") {
    return [{ way: "wrap", server, words: [options.program(file), "wrap", ...options.dataWords, "--name", name, "--"] }]
  }
  if (plan.becomes !== "addressed") return []
  // Files of a project may be shared; the variable is set by whoever starts the client.
  const token: TokenText =
    file.file.root === "project" ? { variable: tokenVariable } : { secret: options.tokenOf(file.client.id) }
  return [{ way: "address", server, url: plan.url, token }]
}

/** The edits of a plan, one per file. */
export function editsOf({ files }: SetupPlan): readonly FileEdit[] {
  const edits = files.flatMap(({ edit, allow }) => [
    ...(edit === null ? [] : [edit]),
    ...(allow === null ? [] : [allow.edit]),
  ])
  return [...new Map(edits.map((edit) => [edit.path, edit])).values()]
}
