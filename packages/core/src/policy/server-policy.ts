/**
 * The policy of a server: its settings, which people write and accept as policy, and the folders it works in, which go with how it is started.
 *
 * I1. No field of a server's policy is left out, and nothing else of a server is taken for it.
 * I2. A policy without folders has none of any server, and with the folders of servers it has theirs and no others.
 */
import type { Policy, PolicyWithoutFolders, ServerPolicy, ServerSettings, WorkingFolders } from "./rules/rule.ts"

/** Each of them is here, or this does not compile. */
const everySetting = {
  id: true,
  trust: true,
  pin: true,
  newTools: true,
  offer: true,
} as const satisfies Record<keyof ServerSettings, true>
const everyFolder = {
  cwd: true,
  folders: true,
  starts: true,
  isRemote: true,
} as const satisfies Record<keyof WorkingFolders, true>
const settings = Object.keys(everySetting) as ReadonlyArray<keyof ServerSettings>
const folders = Object.keys(everyFolder) as ReadonlyArray<keyof WorkingFolders>

/** A server's policy, of everything that is known of it. */
export function serverPolicyOf(server: ServerPolicy): ServerPolicy {
  return { ...pick(server, settings), ...pick(server, folders) }
}

export function withoutFolders<Part extends Pick<Policy, "servers">>(
  policy: Part,
): Omit<Part, "servers"> & Pick<PolicyWithoutFolders, "servers"> {
  return { ...policy, servers: policy.servers.map((server) => pick(server, settings)) }
}

/** The policy where these servers run, and no others. */
export function withFoldersOf(policy: PolicyWithoutFolders, running: readonly ServerPolicy[]): Policy {
  const known = new Map(running.map((server) => [server.id, pick(server, folders)]))
  const ids = new Set([...policy.servers.map(({ id }) => id), ...known.keys()])
  return { ...policy, servers: [...ids].map((id) => ({ ...serverIn(policy, id), ...known.get(id) })) }
}

/** The policy's entry for a server, or the defaults for a server that it does not mention. */
export function serverIn({ servers }: Pick<Policy, "servers">, id: string): ServerPolicy {
  return servers.find((server) => server.id === id) ?? { id, trust: "none", pin: "full" }
}

function pick<Key extends keyof ServerPolicy>(server: ServerPolicy, keys: readonly Key[]): Pick<ServerPolicy, Key> {
  const found = keys.flatMap((key) => (server[key] === undefined ? [] : [[key, server[key]] as const]))
  return Object.fromEntries(found) as Pick<ServerPolicy, Key>
}
