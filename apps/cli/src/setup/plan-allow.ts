import { type AllowFile, allowServers } from "@byleave/formats/clients"
import { type ClientFile, pathOf } from "./client-files.ts"
import { leadsOutWords } from "./leads-out.ts"
import type { FileEdit, PlannedFile, PlanOptions } from "./plan-setup.ts"

/** The edit of the file in which a client is told not to ask about these servers, or why there is none. */
export function planAllow(
  file: ClientFile,
  servers: readonly string[],
  allowed: Map<string, FileEdit>,
  { machine, textOf, leadsOut }: PlanOptions,
): PlannedFile["allow"] | { readonly path: string; readonly line: number; readonly message: string } {
  const place = file.file.allow
  const path = place === undefined ? null : pathOf(place, machine)
  if (place === undefined || path === null) return null
  if (place.root === "project" && leadsOut(path)) return { path, line: 1, message: leadsOutWords }
  // Two files of a client may share their list.
  const earlier = allowed.get(path)
  const before = earlier === undefined ? textOf(path) : earlier.before
  const changed = allowServers(earlier?.after ?? before, place, servers)
  if (changed === undefined)
    return { path, line: 1, message: "This file cannot be changed safely, so the client goes on asking as well." }
  if (changed.changes.length === 0) return null
  const changes = [...(earlier?.changes ?? []), ...changed.changes]
  const edit: FileEdit = { client: file.client, path, syntax: "json", before, after: changed.text, changes }
  allowed.set(path, edit)
  const quiet = servers.filter((server) => !asksAnyway(place, server))
  return { edit, servers: quiet, rules: quiet.flatMap((server) => rulesOf(place, server)) }
}

/** Whether the client goes on asking about a server, since no rule can be about it alone. */
export function asksAnyway({ lists }: AllowFile, server: string): boolean {
  return lists.some(({ item }) => item(server) === null)
}

/** Rules as they are written; a list of names is none. */
function rulesOf({ lists }: AllowFile, server: string): readonly string[] {
  return lists.flatMap(({ item }) => item(server) ?? []).filter((item) => item !== server)
}
