import { isLoopback } from "./listen.ts"
import type { Settings } from "./settings.ts"

export type Door = { readonly host: string; readonly hasTls: boolean; readonly behindProxy: boolean }

/** Why this service may not listen there; null when it may. */
export function listenProblem({ host, hasTls, behindProxy }: Door, settings: Settings): string | null {
  if (isLoopback(host)) return null
  if (settings.anonymous) {
    return `Listening on ${host} would let anyone on the network call as an agent. Remove \`agents: { anonymous: true }\` from the configuration, or listen on 127.0.0.1.`
  }
  if (!hasTls && !behindProxy) {
    return `Listening on ${host} would send credentials in the clear. Give --tls-cert and --tls-key, or --behind-proxy when a proxy that speaks TLS stands in front.`
  }
  return null
}

/** The names by which this service may be asked for: anything else may be a page that had its name point here. */
function hostNames({ host, behindProxy }: Door, port: number, settings: Settings): ReadonlySet<string> {
  const own = isLoopback(host) ? ["127.0.0.1", "localhost", "[::1]"] : [host.includes(":") ? `[${host}]` : host]
  const withPort = own.map((name) => `${name}:${port}`)
  const configured = settings.hosts.flatMap((name) =>
    behindProxy || name.includes(":") ? [name] : [name, `${name}:${port}`],
  )
  return new Set([...withPort, ...configured])
}

/** The origins of this service's own pages, and those the configuration adds. */
function originNames(door: Door, hosts: ReadonlySet<string>, settings: Settings): ReadonlySet<string> {
  const scheme = door.hasTls || door.behindProxy ? "https" : "http"
  return new Set([...[...hosts].map((host) => `${scheme}://${host}`), ...settings.origins])
}

export type Names = { readonly hosts: () => ReadonlySet<string>; readonly origins: () => ReadonlySet<string> }

/** Both, as every request asks for them: made anew only when the port or the settings have changed. */
export function namesOf(door: Door, now: () => { readonly port: number; readonly settings: Settings }): Names {
  let of: ReturnType<typeof now> | null = null
  let hosts: ReadonlySet<string> = new Set()
  let origins: ReadonlySet<string> = new Set()
  const look = (): void => {
    const { port, settings } = now()
    if (of !== null && of.port === port && of.settings === settings) return
    of = { port, settings }
    hosts = hostNames(door, port, settings)
    origins = originNames(door, hosts, settings)
  }
  return {
    hosts: () => {
      look()
      return hosts
    },
    origins: () => {
      look()
      return origins
    },
  }
}
