import type { EpochMs, Session } from "../../call/call.ts"
import { type Breadth, scopeOf } from "../../policy/rules/remembered.ts"
import type { Grant, Level } from "./grant.ts"
import { levelOf, reachOf } from "./levels.ts"
import { newGrant } from "./new-grant.ts"

export type SetLevel = {
  readonly server: string
  /** Null: the whole server. */
  readonly tool: string | null
  readonly level: Level
  /** Needed for AllowSession; AllowOnce and Ask can be for one session, the others are for all. */
  readonly session?: Session
  readonly id: string
  readonly by: string
  readonly at: EpochMs
  readonly reason?: string
}

export type LevelChange =
  | {
      readonly ok: true
      readonly puts: readonly Grant[]
      readonly removes: readonly string[]
      /** The level in force afterwards: a wider grant may still override it, and a narrower one never overrides a wider denial. */
      readonly inForce: Level
    }
  | { readonly ok: false; readonly code: "no-session" }

/**
 * Which grants to put and remove so that this tool, or this server, has this level. Grants that contradict it for exactly this
 * subject are taken back; Ask for a whole server takes back every permission on it. Denials of single tools stay: they are lifted one by one.
 */
export function setLevel(grants: readonly Grant[], wanted: SetLevel): LevelChange {
  if (wanted.level === "AllowSession" && wanted.session === undefined) return { ok: false, code: "no-session" }
  const concerned = grants.filter((grant) => isConcerned(grant, wanted) && isReplaced(grant, wanted))
  const shrunk = concerned.flatMap((grant) => withoutTool(grant, wanted.tool))
  const added = grantFor(wanted)
  const puts = added === null ? shrunk : [...shrunk, added]
  const kept = new Set(puts.map((grant) => grant.id))
  const gone = new Set(concerned.map((grant) => grant.id))
  const removes = [...gone].filter((id) => !kept.has(id))
  const afterwards = [...grants.filter((grant) => !gone.has(grant.id)), ...puts]
  return { ok: true, puts, removes, inForce: levelOf(afterwards, { ...wanted, now: wanted.at }) }
}

/** A level for one session leaves other sessions' and other agents' grants alone, and those for a starter's runs: whose run it is is not told here. */
function isConcerned(grant: Grant, wanted: SetLevel): boolean {
  if (wanted.session === undefined) return true
  const { session, agent, starter } = scopeOf(grant)
  if (starter !== undefined) return false
  if (session === undefined) return agent === undefined || agent === wanted.session.principal
  return session.principal === wanted.session.principal && session.id === wanted.session.id
}

function isReplaced(grant: Grant, { server, tool, level }: SetLevel): boolean {
  const { breadth, effect } = grant
  if (breadth.server !== server) return false
  if (tool === null) {
    const isOfServer = breadth.kind === "server" || (breadth.kind === "pattern" && breadth.tool === "*")
    return isOfServer || (level === "Ask" && effect === "allow")
  }
  return (breadth.kind === "tool" || breadth.kind === "reads") && reachOf(grant, { server, tool }) !== "none"
}

/** A frozen list loses the one tool and goes on serving the others. */
function withoutTool(grant: Grant, tool: string | null): readonly Grant[] {
  if (tool === null || grant.breadth.kind !== "reads") return []
  const tools = grant.breadth.tools.filter((name) => name !== tool)
  return tools.length === 0 ? [] : [{ ...grant, breadth: { ...grant.breadth, tools } }]
}

function grantFor(wanted: SetLevel): Grant | null {
  const { level } = wanted
  if (level === "Ask") return null
  const isForSession = level === "AllowSession" || level === "AllowOnce"
  const grant = newGrant({
    id: wanted.id,
    effect: level === "DenyAlways" ? "deny" : "allow",
    breadth: breadthOf(wanted),
    session: isForSession ? wanted.session : undefined,
    uses: level === "AllowOnce" ? 1 : undefined,
    reason: wanted.reason,
    from: null,
    by: wanted.by,
    at: wanted.at,
  })
  return "code" in grant ? null : grant
}

function breadthOf({ server, tool }: SetLevel): Breadth {
  return tool === null ? { kind: "server", server, access: "all" } : { kind: "tool", server, tool }
}
