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

/** Phrases that speak to a model rather than of a tool. Compared in lower case with single spaces. */
const instructions = phrases(`
  ignore previous, ignore all previous, ignore any previous, ignore prior, ignore the above, ignore all other, ignore your, ignore the user,
  disregard previous, disregard all, disregard the, disregard any, disregard your, forget previous, forget all, forget your, override your,
  do not tell, don't tell, do not mention, don't mention, do not inform, don't inform, do not reveal, don't reveal, do not show the user,
  never tell, never mention, never reveal, without telling, without asking, without informing, without mentioning, keep this secret,
  do not ask, don't ask, the user must not, hide this from, not visible to the user, before using this tool, before calling this tool,
  before you use, before you call, before using any, before calling any, after using this tool, after calling this tool,
  instead of this tool, always call, always use this tool, you must, you should always, you are now, you are an, your task is,
  your instructions, system prompt, act as, pretend to, new instructions, important:, <important, <system, <instructions, <secret,
  [system], [inst], <|im_start, read the file, read the contents, contents of the file, include the contents, pass the contents,
  send the contents, send it to, forward it to, exfiltrate, upload it to, post it to, for this to work, otherwise the tool,
  the tool will not work`)

const credentials = phrases(`
  ~/.ssh, .ssh/, id_rsa, id_ed25519, id_ecdsa, authorized_keys, .env, .aws/, aws/credentials, .netrc, .npmrc, .pypirc, .pgpass,
  .git-credentials, .docker/config, .kube/config, kubeconfig, .gnupg, .config/gcloud, application_default_credentials, .azure/,
  .bash_history, .zsh_history, /etc/passwd, /etc/shadow, /proc/self/environ, keychain, wallet.dat, mcp.json, claude_desktop_config,
  .cursor/, .claude/, .codex/, byleave.yaml, private key, private_key, api key, api_key, apikey, access token, access_token, auth token,
  bearer token, refresh_token, session cookie, secret_access_key, github_token, password, passphrase, seed phrase,
  environment variables, process.env`)

function phrases(list: string): readonly string[] {
  return list.split(",").map((phrase) => phrase.trim())
}

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

/** The text as people read it: invisible characters, letter forms, case and the kind of space do not hide a phrase. */
function plainly(text: string): string {
  return text
    .normalize("NFKC")
    .slice(0, 2 * mostText)
    .replace(/[\p{Cf}\p{Mn}]/gu, "")
    .replace(/[\s*`]+/g, " ")
    .replace(/[\u2018\u2019]/g, "'")
    .toLowerCase()
}

function* moreOften(wanted: readonly string[], now: string, old: string): Generator<string> {
  for (const phrase of wanted) {
    const times = timesIn(now, phrase)
    if (times > 0 && times > timesIn(old, phrase)) yield phrase
  }
}

/** Whole words only, also in the plural. */
function timesIn(text: string, phrase: string): number {
  const last = phrase.length - 1
  let times = 0
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + phrase.length)) {
    const end = at + phrase.length
    const next = text[end] === "s" ? end + 1 : end
    if (!(isLetter(text, at - 1) && isLetter(text, at)) && !(isLetter(phrase, last) && isLetter(text, next))) times += 1
  }
  return times
}

function isLetter(text: string, at: number): boolean {
  return /[a-z0-9]/.test(text[at] ?? "")
}
