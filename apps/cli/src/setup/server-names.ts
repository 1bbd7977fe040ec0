import { type JsonValue, ownNameLikeness } from "@byleave/core"
import type { ClientServer } from "@byleave/formats/clients"
import { findProgram } from "../wrap/find-program.ts"
import { serverProgram } from "../wrap/server-program.ts"

/** A server of a client, and the folder and environment that it would be started in. */
export type NamedPlace = {
  readonly client: string
  readonly server: ClientServer
  readonly cwd: string
  readonly env: ReadonlyMap<string, string>
}

/** The server that a name stands for already, as a text that is the same for the same server. */
export type NameOwners = Map<string, string>

/**
 * The name by which Byleave knows a server: the client's own, unless it stands for another program already. Two clients that start the same
 * program under one name share it, and its rules.
 */
export function chooseName(place: NamedPlace, owners: NameOwners, identity = identityOf(place)): string {
  const own = safeName(place.server.name)
  const candidates = [own, `${own}-${place.client}`]
  for (let number = 2; ; number++) {
    const name = candidates.shift() ?? `${own}-${place.client}-${number}`
    const owner = owners.get(name)
    if (owner !== undefined && owner !== identity) continue
    owners.set(name, identity)
    return name
  }
}

/** Tells servers apart as far as permissions are concerned. */
export function identityOf({ server, cwd, env }: NamedPlace): string {
  const { reached } = server
  switch (reached.kind) {
    case "command":
      return `program ${programOf(reached, reached.cwd ?? cwd, new Map([...env, ...reached.env]))}`
    case "wrapped":
      return `program ${programOf(reached.wrap, reached.cwd ?? cwd, new Map([...env, ...reached.env]))}`
    case "address":
    case "other":
      return `${reached.kind} ${server.name}`
  }
}

function programOf(
  { command, args }: { readonly command: string; readonly args: readonly string[] },
  cwd: string,
  env: ReadonlyMap<string, string>,
): string {
  return serverProgram({ command, args, cwd, env, file: findProgram(command, env, cwd) }, "")
}

/** The same address with other credentials is another server: it may act for somebody else. */
export function addressIdentity(kind: "http" | "sse", url: string, headers: ReadonlyMap<string, string>): string {
  return `${kind} ${url} ${JSON.stringify([...headers].sort())}`
}

/** The same for an entry that is to go into byleave.yaml. */
export function entryIdentity({ url, type, headers }: { readonly [key: string]: JsonValue }): string {
  const texts = Object.entries(headers ?? {}).map(([name, value]) => [name, String(value)] as const)
  return addressIdentity(type === "sse" ? "sse" : "http", String(url), new Map(texts))
}

/** A name that can be part of an address, of rules and of `<server>__<tool>`. */
function safeName(written: string): string {
  const name = written
    .replaceAll(/[^\p{L}\p{N} ._@/:-]+/gu, "-")
    .replaceAll(/_{2,}/g, "_")
    .replace(/^[^\p{L}\p{N}@]+/u, "")
    .slice(0, 80)
    .replace(/[. @/:]{1,80}$/, "")
  return name === "" || ownNameLikeness(name) === "same" ? "server" : name
}
