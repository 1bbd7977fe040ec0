import { expandEnvironment } from "@byleave/formats"
import { childEnvironment } from "../service/gateway/child-environment.ts"

/** Names that change what a program is, not what it is told: no configuration can ask for them. */
const changesPrograms = /^(?:NODE_|LD_|DYLD_|npm_)/i

/**
 * The environment of a service that a wrap starts: the basics, where it stores unless that is its folder's own file, and the variables that its own configuration names. The
 * client's other variables, such as `NODE_OPTIONS`, are the client's alone.
 *
 * I1. Its home, from which programs take settings and compiled code, is the user's by the system's own account, whatever a client says.
 */
export function serviceEnvironment(
  clients: ReadonlyMap<string, string>,
  config: string,
  platform: string,
  /** Where the folder keeps its records, see kept-store.ts. */
  store: string | null,
  home: string | null,
): ReadonlyMap<string, string> {
  const { filled } = expandEnvironment(config, clients)
  const named = filled.map(({ name }) => name).filter((name) => !changesPrograms.test(name))
  const wanted = new Set(named)
  // By a reference in the file, neither: a folder that keeps its own file is not moved by a client.
  if (store === "sqlite") wanted.delete("BYLEAVE_STORE")
  else wanted.add("BYLEAVE_STORE")
  const given = new Map([...clients].filter(([name]) => wanted.has(name)))
  if (home !== null) given.set(platform === "win32" ? "USERPROFILE" : "HOME", home)
  return childEnvironment(given, clients, platform)
}
