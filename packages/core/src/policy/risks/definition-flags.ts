/**
 * The warnings about a definition, for the reviewer who may accept it. Warnings only: no decision rests on them, and words that
 * escape them exist.
 *
 * I1. The work is bounded whatever a server sends: so much text is looked through, once per phrase, and the rest is told as not looked at.
 * I2. What stands in the accepted definition as often, at the same place, is not flagged again.
 */
import { definitionDifference } from "../../call/definition/definition-difference.ts"
import type { ToolDefinition } from "../../call/definition/tool-definition.ts"
import type { JsonObject, JsonValue } from "../../call/json/json.ts"
import { pointerTo } from "../../call/json/json-pointer.ts"
import { isRawNumber } from "../../call/json/raw-number.ts"
import { instructions, phrases, plainly, timesIn } from "./instruction-phrases.ts"
import { hiddenCharacters } from "./text-risks.ts"

export type DefinitionFlag = {
  readonly kind: "instruction" | "credential" | "hidden-characters" | "not-looked-at"
  /** A JSON pointer to the text. */
  readonly path: string
  /** The phrase that was found, as we know it; empty where there is none. */
  readonly found: string
  readonly sentence: string
}

const mostText = 65_536
const mostFlags = 40

const credentials = phrases(`
  ~/.ssh, .ssh/, id_rsa, id_ed25519, id_ecdsa, authorized_keys, .env, .aws/, aws/credentials, .netrc, .npmrc, .pypirc, .pgpass,
  .git-credentials, .docker/config, .kube/config, kubeconfig, .gnupg, .config/gcloud, application_default_credentials, .azure/,
  .bash_history, .zsh_history, /etc/passwd, /etc/shadow, /proc/self/environ, keychain, wallet.dat, mcp.json, claude_desktop_config,
  .cursor/, .claude/, .codex/, byleave.yaml, private key, private_key, api key, api_key, apikey, access token, access_token, auth token,
  bearer token, refresh_token, session cookie, secret_access_key, github_token, password, passphrase, seed phrase,
  environment variables, process.env`)

/** `before` null: nothing was accepted, all of it is new. */
export function definitionFlags(before: ToolDefinition | null, after: ToolDefinition): readonly DefinitionFlag[] {
  const scan: Scan = { flags: [], left: mostText, isCut: false }
  if (before === null) lookThrough(scan, undefined, after, "")
  else
    for (const { path, before: old, after: now } of definitionDifference(before, after)) {
      if (now !== undefined) lookThrough(scan, old, now, path)
    }
  return scan.isCut ? [...scan.flags, notLookedAt] : scan.flags
}

const notLookedAt: DefinitionFlag = {
  kind: "not-looked-at",
  path: "",
  found: "",
  sentence: "This definition is too long to check completely. Read it to the end.",
}

type Scan = { readonly flags: DefinitionFlag[]; left: number; isCut: boolean }

function lookThrough(scan: Scan, before: JsonValue | undefined, value: JsonValue, path: string): void {
  if (scan.left <= 0 || scan.flags.length >= mostFlags) {
    scan.isCut = true
    return
  }
  if (typeof value === "string") lookAtText(scan, typeof before === "string" ? before : "", value, path)
  else if (Array.isArray(value)) {
    const old = Array.isArray(before) ? before : []
    for (const [at, item] of value.entries()) lookThrough(scan, old[at], item, pointerTo(path, at))
  } else if (typeof value === "object" && value !== null && !isRawNumber(value)) {
    lookAtMembers(scan, before, value as JsonObject, path)
  }
}

/** Names of arguments are words that reach a model as well. */
function lookAtMembers(scan: Scan, before: JsonValue | undefined, object: JsonObject, path: string): void {
  const old = typeof before === "object" && before !== null && !Array.isArray(before) ? (before as JsonObject) : {}
  for (const [name, value] of Object.entries(object)) {
    const here = pointerTo(path, name)
    const isOld = Object.hasOwn(old, name)
    if (!isOld) lookAtText(scan, "", name, here)
    lookThrough(scan, isOld ? old[name] : undefined, value, here)
    if (scan.isCut) return
  }
}

function lookAtText(scan: Scan, before: string, text: string, path: string): void {
  if (text.length > scan.left) scan.isCut = true
  const looked = text.slice(0, scan.left)
  // So that names cost as well: a list of many short ones is no way around the bound.
  scan.left -= looked.length + 16
  const add = (kind: DefinitionFlag["kind"], found: string, sentence: string): void => {
    if (scan.flags.length < mostFlags) scan.flags.push({ kind, path, found, sentence })
    else scan.isCut = true
  }
  const hidden = hiddenCharacters(looked)
  if (hidden !== null && hidden !== hiddenCharacters(before.slice(0, mostText))) {
    add("hidden-characters", "", `It ${hidden}.`)
  }
  const [now, old] = [plainly(looked), plainly(before.slice(0, mostText))]
  for (const phrase of moreOften(instructions, now, old)) {
    add("instruction", phrase, "It may instruct the model instead of describing the tool.")
  }
  for (const phrase of moreOften(credentials, now, old)) {
    add("credential", phrase, "It mentions a secret or where one is stored.")
  }
}

function* moreOften(wanted: readonly string[], now: string, old: string): Generator<string> {
  for (const phrase of wanted) {
    const times = timesIn(now, phrase)
    if (times > 0 && times > timesIn(old, phrase)) yield phrase
  }
}
