import { resolve } from "node:path"
import type { Policy } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { type ConfigProblem, loadConfig } from "@byleave/formats"
import { policyInForce, type RuleLoss } from "@byleave/formats/languages"
import { reachService } from "../commands/policy/explain-by-service.ts"
import { configOf } from "../config/config-option.ts"
import { knownTools } from "../config/known-tools.ts"
import { readConfig } from "../config/read-config.ts"
import type { Io } from "../io.ts"

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

/**
 * What is in force at the running service: its rules, saved permissions, and definitions that are not accepted. The rules of a file alone if one is named, or no
 * service runs. `saved`: which permissions are carried.
 */
export async function currentPermissions(
  flags: PermissionFlags,
  io: Io,
  saved: "all" | "denials",
): Promise<CurrentPermissions | PermissionsProblem> {
  const known = await knownTools(flags, io)
  if (!known.ok) return { error: known.problem }
  const service = flags.config === undefined ? await reachService(flags, io) : null
  if (service === null) {
    const config = configOf(flags, io)
    const read = await readConfig(config, io)
    if ("unreadable" in read) return { error: read.unreadable }
    if (!read.ok) return invalid(config, read.problems)
    return { config, policy: read.config.policy, known: known.tools, losses: [], isFileAlone: true }
  }
  if ("problem" in service) return { error: service.problem }
  const { client } = service
  const [text, grants, pins] = await Promise.all([
    client.getPolicyText(),
    client.listGrants(),
    client.listPins({ query: { open: "true" } }),
  ])
  if (!text.ok) return { error: text.problem.detail }
  if (!grants.ok) return { error: grants.problem.detail }
  if (!pins.ok) return { error: pins.problem.detail }
  const { file } = text.value
  if (text.value.text === null) {
    return { error: `The service keeps its rules elsewhere. ${text.value.why ?? ""} Specify a file with --config.` }
  }
  if (!text.value.inForce) {
    const error = `${file} has changes that are not in force. Answer them first (\`byleave pending\`), or take a file as it is with --config.`
    return { error }
  }
  const loaded = loadConfig(text.value.text, {
    ...{ name: file, folder: resolve(io.cwd), env: io.env, hasher: nodeHasher, purpose: "policy" as const },
    ...(io.home === undefined ? {} : { home: io.home }),
  })
  if (!loaded.ok) return invalid(file, loaded.problems)
  const carried = grants.value.items.filter(({ effect }) => saved === "all" || effect === "deny")
  const { policy, losses } = policyInForce(loaded.config.policy, { grants: carried, pins: pins.value.items })
  return { config: file, policy, known: known.tools, losses, isFileAlone: false }
}

function invalid(config: string, problems: readonly ConfigProblem[]): PermissionsProblem {
  return { error: `${config} is invalid. Fix the problems listed.`, problems }
}
