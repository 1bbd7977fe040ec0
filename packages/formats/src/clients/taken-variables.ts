import type { ClientProgram } from "./client-programs.ts"
import type { ClientServerKind } from "./client-servers.ts"

/** `${env:NAME}` and `{env:NAME}`: others in braces, such as `${workspaceFolder}`, are the client's own. */
const named = /\{env:([A-Za-z_]\w*)(?:\}|:-)/g
/** As a shell has them: `${NAME}`, `${NAME:-instead}` and `$NAME`. */
const likeShell = /\$\{([A-Za-z_]\w*)(?:\}|:-)|\$([A-Za-z_]\w*)/g

/** The variables of the environment that an entry of a client's file takes, as its client reads it. */
export function takenVariables(reached: ClientServerKind, { reference }: ClientProgram): readonly string[] {
  const isShell = reference?.("").includes("env:") === false
  const written = textsOf(reached).flatMap((text) => [
    ...(isShell ? [...text.matchAll(likeShell)].map(([, braced, plain]) => braced ?? plain ?? "") : []),
    ...[...text.matchAll(named)].map(([, name = ""]) => name),
  ])
  const filled = reached.kind === "address" ? [...(reached.headers?.fromVariables.values() ?? [])] : []
  return [...new Set([...written, ...filled])]
}

function textsOf(reached: ClientServerKind): readonly string[] {
  if (reached.kind === "other") return []
  if (reached.kind === "address") return [reached.url, ...(reached.headers?.written.values() ?? [])]
  const { command, args } = reached.kind === "wrapped" ? reached.wrap : reached
  return [command, ...args, ...reached.env.values(), reached.cwd ?? ""]
}
