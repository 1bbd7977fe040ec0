/**
 * Words of a command line as people may read them. Secrets are left out; what is left out and may choose the program all the same is
 * counted without being shown.
 *
 * I1. The host of an address is shown, whichever way programs read the address.
 * I2. Whatever is left out counts, unless it has both the place and the looks of a secret.
 */
import { existsSync } from "node:fs"
import { resolve } from "node:path"

export type ProgramWord = {
  readonly shown: string
  /** Whether the marks in `shown` are ours, and stand for what is left out. */
  readonly isCut?: boolean
  /** The parts that `shown` leaves out, where some of them count. */
  readonly hidden?: string
}

const secretNames = "token|key|secret|passw|auth|credential"
const secretName = new RegExp(secretNames, "i")
/** `--no-auth`, `--allow-keys`: what follows is not theirs. */
const standsAlone = /^--?(?:no|allow|disable|enable|skip|without)(?:[-_]|$)/i
/** Values of these are renewed: `--api-key`, `--github-token`, `DB_PASSWORD=`, `Authorization: `. */
const renewedName =
  /^(?:[a-z\d]+_)*(?:token|api_?key|access_?key|secret|secret_?key|password|passwd|bearer|authorization)$/
/** So are those of `SOME_KEY=` and `?key=`, but not what follows `--sort-key`. */
const renewedVariable = /^(?:[a-z\d]+_)*key$/
const isShellSwitch = /^-\w*c$/
const namedValue = /^(-{0,2}[\w.-]+(?:=|:\s+))([\s\S]*)$/
const secretInText = new RegExp(
  `([\\w.-]{0,64}(?:${secretNames})[\\w.-]{0,64}(?:=|:\\s+(?:bearer\\s+)?))([^\\s;&|"']+)`,
  "gi",
)
const secretParameter = new RegExp(`([?&#][\\w.-]{0,64}(?:${secretNames})[\\w.-]{0,64}=)([^&\\s#]*)`, "gi")
const addressStart = /[a-z][\w+.-]{0,64}:\/\//gi
/** Nothing at which a shell or a parser of addresses would end the part before the `@`. */
const loginInText = /([a-z][\w+.-]{0,64}:\/\/)([\w.~%!*+,=:-]*)@/gi

/** The words of `args`, in a folder in which relative ones may name files. */
export function programWords(args: readonly string[], folder: string): readonly ProgramWord[] {
  return args.map((arg, at) => {
    const secret = secretAt(args, at)
    if (secret !== null) return withoutValue(secret, folder)
    if (/\s/.test(arg)) return textWord(arg, folder)
    if (!hasAddress(arg)) return plainWord(arg)
    return isShellSwitch.test(args[at - 1] ?? "") ? textWord(arg, folder) : addressWord(arg, folder)
  })
}

/** Whether an argument is a secret that may be renewed: it chooses nothing. */
export function isRenewable(args: readonly string[], at: number, folder: string): boolean {
  const secret = secretAt(args, at)
  return secret !== null && isRenewed(secret.of) && isSecret(secret.value, folder)
}

/** Whether a name, as it is written, is one of a secret and of nothing else. */
function isRenewed(written: string): boolean {
  const end = written.search(/[=:]/)
  const name = (end < 0 ? written : written.slice(0, end))
    .replace(/^[-?&#]+/, "")
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/[-.]/g, "_")
    .toLowerCase()
  return (
    !standsAlone.test(written) && (renewedName.test(name) || (!written.startsWith("-") && renewedVariable.test(name)))
  )
}

/** `of`: the switch or name that it is the value of; `name`: the part of it that stands in the same word. */
type NamedSecret = { readonly of: string; readonly name: string; readonly value: string }

function secretAt(args: readonly string[], at: number): NamedSecret | null {
  const arg = args[at] ?? ""
  const before = args[at - 1] ?? ""
  const isOfSecret = before.startsWith("-") && !/=/.test(before) && secretName.test(before) && !standsAlone.test(before)
  if (isOfSecret && !arg.startsWith("-")) return { of: before, name: "", value: arg }
  const [, name = "", value = ""] = namedValue.exec(arg) ?? []
  return secretName.test(name) && !isShellSwitch.test(before) ? { of: name, name, value } : null
}

/** A secret that is renewed makes no other program; a file, an address or a plain word in its place does. */
function withoutValue({ of, name, value }: NamedSecret, folder: string): ProgramWord {
  const left = leaveOut(folder)
  const address = isAddress(value) ? splitAddress(value) : null
  return left.word(name + (address === null ? left.value(value, of) : shownAddress(address, left, left.counted)))
}

function isSecret(value: string, folder: string): boolean {
  const text = value.replace(/^bearer\s+/i, "")
  if (/^[.~/\\]|^[a-z]:\\/i.test(text) || isAddress(text) || existsSync(resolve(folder, text))) return false
  return text.length >= 12 && /^[\w+/=.~:-]+$/.test(text) && !isLikeHost(text) && isLikeChance(text)
}

/** Letters and digits in turns, as nobody names things: `good-server-01` and `model-7b-chat` are names. */
function isLikeChance(text: string): boolean {
  const pieces = text.split(/[^a-z\d]+/i)
  const words = pieces.filter((piece) => !/\d/.test(piece)).join("")
  const turns = pieces.join(" ").match(/[a-z](?=\d)|\d(?=[a-z])/gi) ?? []
  return turns.length >= 3 && words.length * 2 < pieces.join("").length
}

/** `login.example/x`, `10.0.0.1/x`, `db:5432`, `2001:db8::1`: a place in a secret's stead is another place. */
function isLikeHost(text: string): boolean {
  const isName = /\.(?:[a-z]{2,24}|xn--[a-z\d-]+)\.?(?:[/:]|$)/i.test(text)
  return isName || /^\d+(?:\.\d+){3}|^[\w.-]+:\d+(?:\/|$)|^[\da-f]{0,4}(?::[\da-f]{0,4}){2,}/i.test(text)
}

/** The text of a shell, say, with secrets in it. */
function textWord(arg: string, folder: string): ProgramWord {
  const left = leaveOut(folder)
  // What a shell fills in elsewhere may be a program there.
  const isUsed = (name: string): boolean =>
    arg.includes("eval") || new RegExp(`\\$\\{?${name.match(/\w+/g)?.join("\\W") ?? ""}`).test(arg)
  return left.word(
    arg
      .replace(loginInText, (_whole, start: string, login: string) => `${start}${left.login(login)}@`)
      .replace(
        secretInText,
        (_whole, name: string, value: string) => name + left.value(value, isUsed(name) ? "" : name),
      ),
  )
}

/** One or several addresses, and what stands before them. */
function addressWord(arg: string, folder: string): ProgramWord {
  const left = leaveOut(folder)
  const starts = [...arg.matchAll(addressStart)].map(({ index }) => index)
  const addresses = starts.map((at, nth) => splitAddress(arg.slice(at, starts[nth + 1])))
  const shownRest = (rest: string): string => withoutKeys(rest, left)
  return left.word(arg.slice(0, starts[0]) + addresses.map((each) => shownAddress(each, left, shownRest)).join(""))
}

/** `rest`: from the first character on that ends the authority for some program. */
type SplitAddress = { readonly scheme: string; readonly authority: string; readonly rest: string }

function splitAddress(address: string): SplitAddress {
  const [, scheme = "", authority = "", rest = ""] = /^([^/]*:\/\/)([^\s/?#\\]*)([\s\S]*)$/.exec(address) ?? []
  return { scheme, authority, rest }
}

function shownAddress(
  { scheme, authority, rest }: SplitAddress,
  left: LeftOut,
  shown: (rest: string) => string,
): string {
  // Programs disagree about which part is the host.
  if (/^[?#\\]/.test(rest) && rest.includes("@")) return scheme + authority + rest
  const at = authority.indexOf("@")
  const login = at < 0 ? "" : left.login(authority.slice(0, at))
  return scheme + login + authority.slice(Math.max(at, 0)) + shown(rest)
}

/** Secret parameters of an address are renewed; what looks like a secret in its path is a part of the address. */
function withoutKeys(rest: string, left: LeftOut): string {
  const [path = ""] = rest.split(/[?#]/, 1)
  const parts = path.split("/").map((part) => (isLikeKey(part) ? left.counted(part) : part))
  const parameters = rest.slice(path.length)
  return (
    parts.join("/") +
    parameters.replace(secretParameter, (_whole, name: string, value: string) => name + left.value(value, name))
  )
}

/** Collects what is left out of a word; each gives what is shown instead. */
type LeftOut = {
  /** A secret may be renewed; anything else in its place counts. `name`: as it is written. */
  readonly value: (value: string, name: string) => string
  /** For what counts however it looks. */
  readonly counted: (value: string) => string
  readonly login: (login: string) => string
  readonly word: (shown: string) => ProgramWord
}

function leaveOut(folder: string): LeftOut {
  const values: (string | null)[] = []
  const leave = (value: string, isCounted: boolean): string => {
    if (value === "") return ""
    values.push(isCounted ? value : null)
    return "…"
  }
  const renewed = (text: string, isPlace: boolean): string => leave(text, !isPlace || !isSecret(text, folder))
  return {
    value: (text, name) => renewed(text, isRenewed(name)),
    counted: (text) => leave(text, true),
    // A user's name is shown where a password follows it; alone it may be a token.
    login: (login) => {
      const [, user = "", password] = /^([^:]*):([\s\S]*)$/.exec(login) ?? []
      if (password === undefined) return renewed(login, true)
      return `${isLikeKey(user) || isSecret(user, folder) ? renewed(user, true) : user}:${renewed(password, true)}`
    },
    word: (shown) => {
      if (values.length === 0) return { shown }
      const isRenewed = values.every((each) => each === null)
      return { shown, isCut: true, ...(isRenewed ? {} : { hidden: JSON.stringify(values) }) }
    },
  }
}

function plainWord(arg: string): ProgramWord {
  return isLikeKey(arg) ? { shown: "…", isCut: true, hidden: arg } : { shown: arg }
}

function isLikeKey(text: string): boolean {
  return /^[\w-]{24,}$/.test(text) && /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text)
}

export function isAddress(text: string): boolean {
  return /^[a-z][\w+.-]*:\/\/\S*$/i.test(text)
}

function hasAddress(text: string): boolean {
  return text.search(addressStart) >= 0
}
