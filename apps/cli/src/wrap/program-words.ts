/**
 * Words of a command line as people may read them. Secrets are left out; what is left out and may choose the program all the same is
 * counted without being shown.
 */
import { existsSync } from "node:fs"
import { resolve } from "node:path"

export type ProgramWord = {
  readonly shown: string
  /** The whole word, where `shown` leaves something out that counts. */
  readonly hidden?: string
}

const secretNames = "token|key|secret|passw|auth|credential"
const secretName = new RegExp(secretNames, "i")
const isShellSwitch = /^-\w*c$/
const namedValue = /^(-{0,2}[\w.-]+(?:=|:\s+))([\s\S]*)$/
const secretInText = new RegExp(
  `([\\w.-]{0,64}(?:${secretNames})[\\w.-]{0,64}(?:=|:\\s+(?:bearer\\s+)?))([^\\s;&|"']+)`,
  "gi",
)
const secretInAddress = new RegExp(`([?&][\\w.-]{0,64}(?:${secretNames})[\\w.-]{0,64}=)[^&\\s#]*`, "gi")

/** The words of `args`, in a folder in which relative ones may name files. */
export function programWords(args: readonly string[], folder: string): readonly ProgramWord[] {
  return args.map((arg, at) => {
    const secret = secretAt(args, at)
    if (secret !== null) return withoutValue(secret, folder)
    if (/\s/.test(arg)) return textWord(arg, folder)
    return hasAddress(arg) ? addressWord(arg) : plainWord(arg)
  })
}

/** Whether an argument is a secret that may be renewed: it chooses nothing. */
export function isRenewable(args: readonly string[], at: number, folder: string): boolean {
  const secret = secretAt(args, at)
  return secret !== null && isSecret(secret.value, folder)
}

type NamedSecret = { readonly name: string; readonly value: string }

function secretAt(args: readonly string[], at: number): NamedSecret | null {
  const arg = args[at] ?? ""
  const before = args[at - 1] ?? ""
  const isOfSecret = before.startsWith("-") && !before.includes("=") && secretName.test(before)
  if (isOfSecret && !arg.startsWith("-")) return { name: "", value: arg }
  const [, name = "", value = ""] = namedValue.exec(arg) ?? []
  return secretName.test(name) && !isShellSwitch.test(before) ? { name, value } : null
}

/** A secret that is renewed makes no other program; a file, an address or a plain word in its place does. */
function withoutValue({ name, value }: NamedSecret, folder: string): ProgramWord {
  const shown = `${name}…`
  return isSecret(value, folder) ? { shown } : { shown, hidden: name + value }
}

function isSecret(value: string, folder: string): boolean {
  const text = value.replace(/^bearer\s+/i, "")
  if (/^[.~/\\]|^[a-z]:\\/i.test(text) || isAddress(text) || existsSync(resolve(folder, text))) return false
  return text.length >= 12 && /^[\w+/=.~:-]+$/.test(text) && /\d/.test(text) && /[a-z]/i.test(text)
}

/** The text of a shell, say, with secrets in it. */
function textWord(arg: string, folder: string): ProgramWord {
  let isAllSecret = true
  const shown = withoutLogins(arg).replace(secretInText, (_whole, name: string, value: string) => {
    isAllSecret &&= isSecret(value, folder)
    return `${name}…`
  })
  return isAllSecret ? { shown } : { shown, hidden: arg }
}

/** Passwords and secret parameters of an address are renewed; what looks like a secret in its path is a part of the address. */
function addressWord(arg: string): ProgramWord {
  const counted = withoutLogins(arg).replace(secretInAddress, "$1…")
  const shown = counted
    .split("/")
    .map((part) => (isLikeKey(part) ? "…" : part))
    .join("/")
  return shown === counted ? { shown } : { shown, hidden: counted }
}

function plainWord(arg: string): ProgramWord {
  return isLikeKey(arg) ? { shown: "…", hidden: arg } : { shown: arg }
}

function isLikeKey(text: string): boolean {
  return /^[\w-]{24,}$/.test(text) && /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text)
}

function withoutLogins(text: string): string {
  return text.replace(/:\/\/[^/@\s]*@/g, "://…@")
}

export function isAddress(text: string): boolean {
  return /^[a-z][\w+.-]*:\/\/\S*$/i.test(text)
}

function hasAddress(text: string): boolean {
  return /[a-z][\w+.-]{0,64}:\/\//i.test(text)
}
