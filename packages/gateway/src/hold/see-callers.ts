import { fileURLToPath } from "node:url"
import { asObject, type JsonObject, memberAt, type Session, textAt } from "@byleave/core"
import type { SeenCaller } from "../gateway.ts"
import type { Caller, ClientInfo } from "../wire/caller.ts"

export type SeeCallers = {
  /** Somebody asks something. */
  readonly caller: (caller: Caller) => void
  /** A client has said which folders it works in. */
  readonly roots: (session: Session, answer: JsonObject) => void
}

/** Tells of clients by their own words, at first sight; a legacy conversation is told of once, and not with every request. */
export function seeCallers(tell: ((seen: SeenCaller) => void) | undefined): SeeCallers {
  if (tell === undefined) return { caller: () => {}, roots: () => {} }
  // The client info of a legacy client is the same object in all its requests.
  const told = new WeakMap<ClientInfo, string>()
  return {
    caller: ({ session, client }) => {
      if (client === null || told.get(client) === session.id) return
      told.set(client, session.id)
      tell({ session, client: `${client.name} ${client.version}`.trim(), folder: null })
    },
    roots: (session, answer) => {
      const folder = folderIn(answer)
      if (folder !== null) tell({ session, client: null, folder })
    },
  }
}

/** The first folder of this machine that is named. */
function folderIn(answer: JsonObject): string | null {
  const roots = memberAt(answer, "roots")
  for (const root of Array.isArray(roots) ? roots : []) {
    const uri = textAt(asObject(root), "uri") ?? ""
    if (!uri.startsWith("file://")) continue
    try {
      return fileURLToPath(uri)
    } catch {
      // Not a path here; the next may be one.
    }
  }
  return null
}
