import type { Settings } from "../config/settings.ts"
import { isLoopback } from "./listen.ts"

export type ListenSetting = { readonly host: string; readonly hasTls: boolean; readonly behindProxy: boolean }

/** Why this service may not listen there; null when it may. */
export function listenProblem({ host, hasTls, behindProxy }: ListenSetting, settings: Settings): string | null {
  if (isLoopback(host)) {
    return behindProxy && settings.anonymous
      ? "Anyone who reaches the proxy could call as an agent. Remove `agents: { anonymous: true }` from the configuration, or --behind-proxy."
      : null
  }
  if (settings.anonymous) {
    return `Listening on ${host} would let anyone on the network call as an agent. Remove \`agents: { anonymous: true }\` from the configuration, or listen on 127.0.0.1.`
  }
  if (!hasTls && !behindProxy) {
    return `Listening on ${host} would send credentials unencrypted. Use --tls-cert and --tls-key, or --behind-proxy if a TLS proxy is in front.`
  }
  return null
}

/** Where it listens, and what is in force. */
export type Listened = {
  readonly at: { readonly host: string; readonly port: number }
  readonly settings: Settings
}

/** Hosts of the addresses at which it listens, as an URL writes them. */
function ownHosts(host: string): readonly string[] {
  if (host === "0.0.0.0") return ["127.0.0.1"]
  if (host === "::") return ["[::1]", "127.0.0.1"]
  return [host.includes(":") ? `[${host}]` : host]
}

/**
 * The names and addresses of this service. `hosts`: names a request may ask for; anything else may be a page that had its name point
 * here. `addresses`: origins that are surely this service, because it listens there or the configuration says so. `localhost` is none of
 * them: it may lead to another address of this machine, where another program listens.
 */
function lookUp({ hasTls, behindProxy }: ListenSetting, { at: { host, port }, settings }: Listened) {
  const own = ownHosts(host)
  const isLocal = own.some((name) => isLoopback(name))
  const configured = settings.hosts.flatMap((name) =>
    behindProxy || name.includes(":") ? [name] : [name, `${name}:${port}`],
  )
  const ownNames = own.map((name) => `${name}:${port}`)
  const outside = hasTls || behindProxy ? "https" : "http"
  const addresses = new Set([
    ...ownNames.map((name) => originOf(hasTls ? "https" : "http", name)),
    ...configured.map((name) => originOf(outside, name)),
  ])
  const local = isLocal ? [`localhost:${port}`] : []
  return {
    hosts: new Set([...ownNames, ...local, ...configured, ...[...addresses].map(hostIn)]),
    addresses,
    origins: new Set([...addresses, ...settings.origins]),
  }
}

/** As browsers and proofs write it: without the port that its scheme means anyway. */
function originOf(scheme: string, name: string): string {
  const written = `${scheme}://${name}`
  return URL.canParse(written) ? new URL(written).origin : written
}

function hostIn(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : origin
}

export type Names = {
  readonly hosts: () => ReadonlySet<string>
  readonly origins: () => ReadonlySet<string>
  readonly addresses: () => ReadonlySet<string>
}

/** Asked for with every request, so made anew only when the port or the settings have changed. */
export function namesOf(door: ListenSetting, now: () => Listened): Names {
  let of: Listened | null = null
  let names = { hosts: none, origins: none, addresses: none }
  const current = (): typeof names => {
    const listened = now()
    if (of === null || of.at !== listened.at || of.settings !== listened.settings) {
      of = listened
      names = lookUp(door, listened)
    }
    return names
  }
  return {
    hosts: () => current().hosts,
    origins: () => current().origins,
    addresses: () => current().addresses,
  }
}

const none: ReadonlySet<string> = new Set()
