import type { RunView } from "@byleave/api"

/** `files, memory`; a run may also do without tools. */
export function serversInWords(servers: readonly string[]): string {
  return servers.length === 0 ? "no servers" : servers.join(", ")
}

/** A person by their name; a program by its token's. */
export function starterInWords({ kind, id }: RunView["startedBy"]): string {
  return kind === "reviewer" ? id : `program ${id}`
}
