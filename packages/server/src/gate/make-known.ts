/**
 * What programs elsewhere make known of their servers, within their credential's share.
 *
 * I1. No request in a program's name is judged before the gate knows the program, whatever it has listed.
 * I2. Nothing is made known, asked or run under a name that is another credential's.
 */
import { type MayTell, ownNameLikeness, showText } from "@byleave/core"
import { programDefinition } from "../program-definition.ts"
import type { ProgramTelling, RefusedTelling } from "../program-shares.ts"
import { type GateIdentity, type GateRouteContext, isServedHere } from "./gate-context.ts"

/** `makeKnown` is given what it asks before it keeps anything. */
type Telling = Omit<ProgramTelling, "makeKnown"> & { readonly makeKnown: (mayTell: MayTell) => Promise<unknown> }

export type RefusedName = RefusedTelling | { readonly code: "name-taken"; readonly detail: string }

/** Does what the gate remembers of a server, whose name is the credential's from then on; people are shown the server. Null: it is known. */
export async function makeKnown(
  doors: GateRouteContext,
  who: GateIdentity,
  telling: Telling,
): Promise<RefusedName | null> {
  const { server } = telling
  let isIts = true
  const mayTell: MayTell = async () => (await standing(doors, who, server)) === "own"
  const refused = await doors.shares.within(who, {
    ...telling,
    makeKnown: async () => {
      isIts = await claim(doors, who, server)
      if (!isIts) return
      await telling.makeKnown(mayTell)
      isIts = await mayTell()
      if (isIts) await doors.seeServer?.(server, who.token).catch((trouble) => doors.onTrouble?.(trouble))
    },
  })
  return refused ?? (isIts ? null : nameTaken(server))
}

/** Whether this process knows that the name is the credential's own: asked with every call. */
export function isKnownOwn({ owners }: GateRouteContext, { token }: GateIdentity, server: string): boolean {
  return owners === undefined || owners.known(server) === owners.ownerFor(token)
}

/** Makes a name that nobody has the credential's own. Null: it is. */
export async function ownName(doors: GateRouteContext, who: GateIdentity, server: string): Promise<RefusedName | null> {
  if (isKnownOwn(doors, who, server) || isNoPrograms(doors, server)) return null
  const is = await standing(doors, who, server)
  if (is === "anothers") return nameTaken(server)
  return is === "own" ? null : makeKnown(doors, who, { server, tools: [], changes: () => 0, makeKnown: async () => {} })
}

/** Null: the name is not another's. It need not be this one's either. */
export async function refuseAnothers(
  doors: GateRouteContext,
  who: GateIdentity,
  server: string,
): Promise<RefusedName | null> {
  if (isKnownOwn(doors, who, server) || isNoPrograms(doors, server)) return null
  return (await standing(doors, who, server)) === "anothers" ? nameTaken(server) : null
}

/** Null: the program of the server is known, or the request names none, or the server is the service's own to know. */
export async function makeProgramKnown(
  doors: GateRouteContext,
  who: GateIdentity,
  server: string,
  program: string | undefined,
): Promise<RefusedName | null> {
  if (isNoPrograms(doors, server)) return null
  const refused = await ownName(doors, who, server)
  if (refused !== null || program === undefined) return refused
  const definition = programDefinition(program)
  if (await doors.gate.knowsProgram(server, definition)) return null
  return makeKnown(doors, who, {
    ...{ server, tools: [definition] },
    changes: () => 1,
    makeKnown: (mayTell) => doors.gate.seeProgram(server, definition, mayTell),
  })
}

/** The service's own to know. */
function isNoPrograms(doors: GateRouteContext, server: string): boolean {
  return isServedHere(doors, server) || ownNameLikeness(server) === "same"
}

async function standing({ owners }: GateRouteContext, { token }: GateIdentity, server: string) {
  return owners === undefined ? "own" : owners.standing(server, owners.ownerFor(token))
}

async function claim({ owners }: GateRouteContext, { token }: GateIdentity, server: string): Promise<boolean> {
  return owners === undefined || owners.claim(server, owners.ownerFor(token))
}

function nameTaken(server: string): RefusedName {
  const name = showText(server)
  const detail = `Another credential uses the server name ${name} here. Nothing was done. Give your server another name. A name that another token has is free again once a person revokes that token: byleave tokens list, byleave tokens revoke.`
  return { code: "name-taken", detail }
}
