/**
 * The rules in force, for commands that pass them on to other programs.
 *
 * I1. Without `--config`, rules are passed on only where they are those that the service itself read: not from its text with secrets masked, nor with
 *     other values of variables.
 */
import { type Policy, showText } from "@byleave/core"
import type { ConfigProblem } from "@byleave/formats"
import { policyInForce, type RuleLoss, shellQuoted } from "@byleave/formats/languages"
import { type ReachedService, reachService } from "../commands/policy/explain-by-service.ts"
import { serviceConfig, type WholeText } from "../config/kept-config.ts"
import { knownTools } from "../config/known-tools.ts"
import { loadPolicy, readConfig } from "../config/read-config.ts"
import { templateFiles } from "../config/template-files.ts"
import { dataFolder } from "../files/data-folder.ts"
import { readUtf8 } from "../files/read-utf8.ts"
import type { Io } from "../io.ts"
import { readServiceFile } from "../reach/service-file.ts"

export type PermissionFlags = { readonly config?: string; readonly data?: string; readonly tools?: string }

export type CurrentPermissions = {
  /** The configuration that the rules are from, as people would write it. */
  readonly config: string
  readonly policy: Policy
  readonly known: ReadonlyMap<string, readonly string[]>
  readonly losses: readonly RuleLoss[]
  /** Nobody was asked what reviewers said besides the rules. */
  readonly isFileAlone: boolean
}

export type PermissionsProblem = { readonly error: string; readonly problems?: readonly ConfigProblem[] }

/** Rules of a file that are used without what people have saved besides them. */
type RulesAlone = Pick<CurrentPermissions, "config" | "policy">

/**
 * What is in force at the running service: its rules, saved permissions, and definitions that are not accepted. The rules of a file alone if one is named;
 * where no service runs, those of the service's own file. `saved`: which permissions are carried.
 */
export async function currentPermissions(
  flags: PermissionFlags,
  io: Io,
  saved: "all" | "denials",
): Promise<CurrentPermissions | PermissionsProblem> {
  const known = await knownTools(flags, io)
  if (!known.ok) return { error: known.problem }
  const service = flags.config === undefined ? await reachService(flags, io) : null
  if (service !== null && "problem" in service) return { error: service.problem }
  const data = dataFolder(flags.data, io)
  if (service !== null) return permissionsAt(service, { data, known: known.tools, saved }, io)
  const rules = flags.config === undefined ? await rulesInForceLast(data, io) : await rulesOf(flags.config, io)
  return "error" in rules ? rules : { ...rules, known: known.tools, losses: [], isFileAlone: true }
}

/** As people are told where the rules are from. */
export function sourceOf({ config, isFileAlone }: Pick<CurrentPermissions, "config" | "isFileAlone">): string {
  const source = `The rules are from ${showText(config)}`
  return isFileAlone ? `${source} alone. ${onlyFromService}` : `${source}.`
}

const onlyFromService =
  "Saved denials and quarantined or rejected tools are carried only from a running service, without --config."

async function rulesOf(config: string, io: Io): Promise<RulesAlone | PermissionsProblem> {
  const read = await readConfig(config, io)
  if ("unreadable" in read) return { error: read.unreadable }
  return read.ok ? { config, policy: read.config.policy } : invalid(config, read.problems)
}

/** Of the file that the data folder's service uses, never of one in the current folder, which may be somebody else's. */
async function rulesInForceLast(data: string, io: Io): Promise<RulesAlone | PermissionsProblem> {
  const kept = serviceConfig(data)
  if (kept === null) {
    return {
      error: `No service has used ${data}, so no rules are in force. Specify a file with --config; the one in the current folder is not taken by itself.`,
    }
  }
  const { file } = kept
  const read = readServiceConfig(file, io)
  if ("error" in read) return read
  const { openKeys } = await import("@byleave/store/sqlite")
  if (!kept.isInForce(() => openKeys(data).digestKey, { ...read, policy: read.policy.version })) {
    return {
      error: `${file} is not as it was in force last, its rules are kept elsewhere, or ${otherVariable} Start the service (\`byleave serve --config ${shellQuoted(file)}\`) and answer the changes, or take the file as it is with --config.`,
    }
  }
  return { config: file, policy: read.policy }
}

type ServiceConfig = Omit<WholeText, "policy"> & Pick<CurrentPermissions, "policy">

/** Read with the variables of this process, which may be others than the service's: it counts only where the same rules come of it. */
function readServiceConfig(file: string, io: Io): ServiceConfig | PermissionsProblem {
  const text = readUtf8(file)
  if (text === null) return { error: `Cannot read ${file}. Specify a file with --config.` }
  const templates = templateFiles()
  const loaded = loadPolicy(text, file, io, templates)
  if (!loaded.ok) return invalid(file, loaded.problems)
  return { text, templates: templates.seen, policy: loaded.config.policy }
}

type Around = Pick<CurrentPermissions, "known"> & { readonly data: string; readonly saved: "all" | "denials" }

async function permissionsAt(
  { client }: ReachedService,
  { data, known, saved }: Around,
  io: Io,
): Promise<CurrentPermissions | PermissionsProblem> {
  const [text, inForce, grants, pins] = await Promise.all([
    client.getPolicyText(),
    client.getPolicy(),
    client.listGrants(),
    client.listPins({ query: { open: "true" } }),
  ])
  if (!text.ok) return { error: text.problem.detail }
  if (!inForce.ok) return { error: inForce.problem.detail }
  if (!grants.ok) return { error: grants.problem.detail }
  if (!pins.ok) return { error: pins.problem.detail }
  if (!text.value.inForce) {
    const error = `${text.value.file} has changes that are not in force. Answer them first (\`byleave pending\`), or take a file as it is with --config.`
    return { error }
  }
  const file = readServiceFile(data)?.config
  if (file === undefined) {
    return { error: "The service is of an older version, and does not say where its configuration is. Restart it." }
  }
  // The text that the service shows has its secrets masked, in rules as well: the rules are read from the file itself.
  const read = readServiceConfig(file, io)
  if ("error" in read) return read
  if (read.policy.version !== inForce.value.version) return { error: otherRules(file, text.value.why) }
  const carried = grants.value.items.filter(({ effect }) => saved === "all" || effect === "deny")
  const { policy, losses } = policyInForce(read.policy, { grants: carried, pins: pins.value.items })
  return { config: file, policy, known, losses, isFileAlone: false }
}

function otherRules(file: string, why: string | null): string {
  const head = why ?? `From here, ${file} gives other rules than those in force, for instance because ${otherVariable}`
  return `${head} Run this with the variables that the service has, or, if Byleave was updated meanwhile, restart the service. To take a file as it is, specify it with --config.`
}

const otherVariable = "an environment variable that it names has another value here."

function invalid(config: string, problems: readonly ConfigProblem[]): PermissionsProblem {
  return { error: `${config} is invalid. Fix the problems listed.`, problems }
}
