/**
 * Which variables and headers hold a secret.
 *
 * I1. What may start something is no secret, whatever its name says: people see which program, script or file a variable leads to.
 */
import { looksSecret } from "@byleave/core"

/** Whether what stands under this name is taken for a secret, also where it stands in the file. */
export function isCredentialName(name: string): boolean {
  return /auth|cookie|credential|passw|pwd|secret|token|(?:^|[_-]|api)key$/i.test(name)
}

/** Whether a variable of a server holds a secret, by its name and by what stands there. */
export function isSecretVariable(name: string, value: string): boolean {
  return (isCredentialName(name) || looksSecret(name, value)) && !leadsToCode(name, value) && !isSwitch.test(value)
}

const isSwitch = /^(?:true|false|yes|no|on|off)?$/i

/** `RESTIC_PASSWORD_COMMAND`, `VAULT_TOKEN_HELPER`, `PGPASSFILE`: they say where a secret comes from. */
const namesSource =
  /(?:command|cmd|helper|process|plugin|provider|program|script|hook|exec(?:utable)?|bin|dir|directory|folder|file|path|home|module|extension)s?$/i

const place =
  /^(?:file:|(?:~|\.{1,2})?\/(?:[\w@%+:,.~ -]+\/[\w@%+:,.~/ -]*|[\w@%:,~ -]*\.[\w.-]+)$|(?:[a-z]:|~|\.{1,2})?\\[^\\])/i
const shellSigns = /[|;&<>`]|\$[({]/
const startsProgram =
  /(?:^|[\s/\\'"(])(?:sh|bash|zsh|dash|fish|cmd|pwsh|powershell|node|deno|bun|python[\d.]*|perl|ruby|php|osascript|curl|wget|eval|exec|env|npx|uvx)(?:\.exe)?\s/i

function leadsToCode(name: string, value: string): boolean {
  if (namesSource.test(name)) return true
  if (looksSecret("", value)) return false
  return place.test(value) || (/\s/.test(value) && (shellSigns.test(value) || startsProgram.test(value)))
}
