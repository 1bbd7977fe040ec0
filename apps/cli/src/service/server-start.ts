import { type Hasher, looksSecret } from "@byleave/core"
import type { ServerConfig } from "@byleave/formats"

/**
 * How a server is started or reached, as one keyed digest: what is in its environment cannot be guessed from it. In another `folder` the
 * same words may start another program, so that it counts.
 */
export function startDigest({ transport }: ServerConfig, folder: string, digestKey: string, hasher: Hasher): string {
  const how =
    transport.kind === "stdio"
      ? [transport.kind, transport.command, transport.args, sorted(transport.env), transport.cwd ?? folder]
      : [transport.kind, transport.url, sorted(transport.headers)]
  return hasher.hmacSha256(digestKey, JSON.stringify(how))
}

function sorted(map: ReadonlyMap<string, string>): ReadonlyArray<readonly [string, string]> {
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

/**
 * The same for people, whole: a variable such as NODE_OPTIONS starts another program as surely as another command does. Of secrets, which
 * `redact` knows, the length is said.
 */
export function startWords({ transport }: ServerConfig, folder: string, redact: (text: string) => string): string {
  const values = transport.kind === "stdio" ? transport.env : transport.headers
  const kind = transport.kind === "stdio" ? "environment" : "headers"
  const shown = Array.from(values, ([name, value]) => valueWords(name, value, redact))
  const given = shown.length === 0 ? "" : ` (with ${kind} ${shown.join(", ")})`
  if (transport.kind !== "stdio") return `${redact(transport.url)}${given}`
  return `${redact([transport.command, ...transport.args].join(" "))} in ${transport.cwd ?? folder}${given}`
}

function valueWords(name: string, value: string, redact: (text: string) => string): string {
  const isSecret = looksSecret(name, value) || redact(value) !== value
  return isSecret ? `${name}, a secret of ${value.length} characters` : `${name}=${JSON.stringify(value)}`
}
