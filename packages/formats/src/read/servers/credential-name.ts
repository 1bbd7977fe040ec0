/**
 * Which variables and headers hold a secret, and which parts of a variable's value are one.
 *
 * I1. What may start something is no secret, whatever its name says: people see which program, script, file, module or host a variable leads to. Of such a value
 *     only the credential in it is masked.
 * I2. A value with a secret's own form keeps that part masked under every name.
 * I3. What the environment fills in is never shown, but for the path or the host it leads to.
 */
import { looksSecret } from "@byleave/core"
import { isTokenShaped, type Span, secretSpans } from "@byleave/core/secret-spans"

/** Whether what stands under this name is taken for a secret, also where it stands in the file. */
export function isCredentialName(name: string): boolean {
  return /auth|cookie|credential|passw|pwd|secret|token|(?:^|[_-]|api)key$/i.test(name)
}

/** The parts of a server's variable that are secret: none, the credential in an address or a command, or all of it. */
export function secretParts(name: string, value: string): readonly Span[] {
  return partsOf(name, value, value)
}

/** The same of a value as it is written. References to the environment say where a secret comes from, and are shown. */
export function writtenSecretParts(name: string, written: string): readonly Span[] {
  const references = Array.from(written.matchAll(/\$\{[^}]*\}/g), ({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }))
  const plain = written.replaceAll(/\$\{[^}]*\}/g, "")
  return references.reduce(
    (parts, reference) => parts.flatMap((part) => without(part, reference)),
    [...partsOf(name, written, plain)],
  )
}

function without({ start, end }: Span, cut: Span): Span[] {
  if (cut.end <= start || cut.start >= end) return [{ start, end }]
  const rest = [
    { start, end: cut.start },
    { start: cut.end, end },
  ]
  return rest.filter((part) => part.start < part.end)
}

function partsOf(name: string, text: string, judged: string): readonly Span[] {
  if (isSwitch.test(judged)) return []
  const isSecret = isCredentialName(name) || looksSecret(name, "x")
  if (isSecret && !leadsSomewhere(name, judged)) return [{ start: scheme(text), end: text.length }]
  return [...secretSpans(text), ...querySpans(text)]
}

const isSwitch = /^(?:true|false|yes|no|on|off)?$/i

/** How long the word before a credential is, as in `Bearer …`. */
function scheme(value: string): number {
  return /^(?:Basic|Bearer|Token) +(?=\S)/i.exec(value)?.[0].length ?? 0
}

function querySpans(text: string): readonly Span[] {
  if (!isAddress.test(text)) return []
  return Array.from(text.matchAll(/[?&#]([\w.-]{1,64})=([^&#\s]+)/g)).flatMap(
    ({ 0: whole, 1: key = "", 2: value = "", index }) => {
      const end = index + whole.length
      return isCredentialName(key) || /^(?:sig|signature|code)$/i.test(key) ? [{ start: end - value.length, end }] : []
    },
  )
}

/** `RESTIC_PASSWORD_COMMAND`, `VAULT_TOKEN_HELPER`: a word under such a name is a program, a module, a folder or a host. */
const namesSource =
  /(?:command|cmd|helper|process|plugin|program|script|hook|exec(?:ut(?:e|or|able))?|bin(?:ary)?|run(?:ner)?|launcher|agent|backend|driver|engine|handler|loader|hasher|generator|source|wrapper|interpreter|r?sh|shell|module|extension|entrypoint|middleware|factory|class|adapter|callback|provider|manager|resolver|store|editor|pager|askpass|dir|directory|folder|path|home|server|service|host(?:name)?|ur[il]|endpoint|proxy|issuer|domain|address|gateway|upstream|sock(?:et)?)(?:s|es)?$/i
/** What stands under such a name is the secret itself, unless it is plainly a path, a command or an address. */
const namesSecret =
  /(?:token|secret|passw(?:or)?d|passphrase|passcode|pwd|pass|key|cookie|credential|auth|authorization|jwt|pat|pin|otp|bearer)s?[_-]?\d*$/i

const isAddress = /^[a-z][a-z\d+.-]*:\/\/[^\s/]/i
const atPath =
  /^(?:file:|~[\w.-]*[\\/]|\.{1,2}[\\/]|\/|\\\\[^\\]|[a-z]:[\\/]|\$(?:[{(]|[A-Za-z_]\w*[\\/]|[A-Z_][A-Z\d_]*$)|%\w+%)/i
const relativePath = /^[^\s\\/]+[\\/]/
/** Modules, files and hosts: `evil_module.Keyring`, `run.sh`, `login.example:8080`. */
const dotted = /^[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)+(?::\w+)?$/
const shellSigns = /[|;&<>`]|\$[({]/
const startsProgram =
  /(?:^|[\s/\\'"(])(?:sh|bash|zsh|dash|fish|cmd|pwsh|powershell|node|deno|bun|python[\d.]*|perl|ruby|php|osascript|curl|wget|eval|exec|env|npx|uvx)(?:\.exe)?\s/i

function leadsSomewhere(name: string, value: string): boolean {
  if (value === "" || atPath.test(value) || isAddress.test(value)) return true
  if (/^\s*-----BEGIN /.test(value)) return false
  const isSecretItself = namesSecret.test(name)
  if (/\s/.test(value)) {
    const isCommand = shellSigns.test(value) || startsProgram.test(value) || relativePath.test(value)
    return isCommand || !isSecretItself
  }
  if (isRandomLike(value)) return false
  if (relativePath.test(value) || namesSource.test(name)) return true
  return !isSecretItself && (dotted.test(value) || /^[!|]/.test(value))
}

/** Letters of both sizes and digits without a word among them, as Base64 has them. */
function isRandomLike(value: string): boolean {
  if (isTokenShaped(value)) return true
  const isBase64 = /^[\w+/-]{12,}={0,2}$/.test(value) && !/[a-z]{6}/.test(value)
  return isBase64 && /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value)
}

const longestPlaces = 8

/** The paths and hosts in what the environment fills in. */
export function placesIn(value: string): readonly string[] {
  if (/[\r\n]/.test(value)) return []
  const places = value.split(/[\s"'`=,;|&<>()]+/).flatMap((word) => {
    if (isAddress.test(word)) return hostOf(word)
    const isPath = /^(?:~?\/|\.{1,2}[\\/]|[a-z]:[\\/])[\w@%:.~\\/-]*$/i.test(word)
    return isPath && !isRandomLike(word) && secretSpans(word).length === 0 ? [word] : []
  })
  return [...new Set(places)].slice(0, longestPlaces)
}

function hostOf(address: string): readonly string[] {
  const host = /^[^/]*:\/\/(?:[^\s/?#\\]*@)?((?:[\w.-]+|\[[\da-f:.]+\])(?::\d*)?)(?:[/?#\\]|$)/i.exec(address)?.[1]
  return host === undefined || isRandomLike(host) ? [] : [host]
}
