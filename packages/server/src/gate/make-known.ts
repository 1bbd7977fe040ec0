/**
 * What programs elsewhere make known of their servers, within their credential's share.
 *
 * I1. No request in a program's name is judged before the gate knows the program, whatever it has listed.
 */
import { ownNameLikeness } from "@byleave/core"
import { programDefinition } from "../program-definition.ts"
import type { ProgramTelling, RefusedTelling } from "../program-shares.ts"
import { type GateIdentity, type GateRouteContext, isServedHere } from "./gate-context.ts"

/** Does what the gate remembers of a server; people are shown the server. Null: it is known. */
export function makeKnown(
  doors: GateRouteContext,
  { token }: GateIdentity,
  telling: ProgramTelling,
): Promise<RefusedTelling | null> {
  return doors.shares.within(token, {
    ...telling,
    makeKnown: async () => {
      await telling.makeKnown()
      await doors.seeServer?.(telling.server, token).catch((trouble) => doors.onTrouble?.(trouble))
    },
  })
}

/** Null: the program of the server is known, or the request names none, or the server is the service's own to know. */
export async function makeProgramKnown(
  doors: GateRouteContext,
  who: GateIdentity,
  server: string,
  program: string | undefined,
): Promise<RefusedTelling | null> {
  if (program === undefined || isServedHere(doors, server) || ownNameLikeness(server) === "same") return null
  const definition = programDefinition(program)
  if (await doors.gate.knowsProgram(server, definition)) return null
  return makeKnown(doors, who, {
    ...{ server, tools: [definition] },
    changes: () => 1,
    makeKnown: () => doors.gate.seeProgram(server, definition),
  })
}
