/**
 * Completions of a resource's address. A template says little of what it leads to: what counts is the address it makes.
 *
 * I1. What is typed so far is judged as the beginning of an address, whatever the template says that it is typed into.
 * I2. No completion leads to an address that policy hides or denies; where the address cannot be told, since an earlier part of it is open, none is given
 *     while a rule hides, denies or asks about resources of the server.
 * I3. Where the beginning is hidden, there is nothing to complete it with, as where nothing begins so; nor is there where no address is so long, or the template
 *     leads to none.
 */
import { inTurns, type JsonObject, listAt, objectAt, type Target, textAt } from "@byleave/core"
import { isWanted } from "../../wire/exchange.ts"
import type { Reply } from "../../wire/message.ts"
import type { Routed } from "../route.ts"
import { loopShare } from "../several/loop-share.ts"
import { type AddressWith, fillTemplate } from "../several/uri-template.ts"

/** MCP allows no more in one answer. */
const mostValues = 100

/** The template of a completion, and the values it is filled with. */
export type Completing = {
  readonly template: string
  readonly variable: string
  readonly typed: string
  readonly given: JsonObject | undefined
}

/** Undefined: it completes no resource. */
export function completingIn(params: JsonObject): Completing | undefined {
  const template = textAt(objectAt(params, "ref"), "uri")
  const argument = objectAt(params, "argument")
  if (template === undefined) return undefined
  const given = objectAt(objectAt(params, "context"), "arguments")
  return { template, variable: textAt(argument, "name") ?? "", typed: textAt(argument, "value") ?? "", given }
}

/** The addresses that its values lead to, as far as they are known; null: there is none. */
export function addressesOf({ template, variable, given }: Completing): AddressWith | null {
  return fillTemplate(template, variable, (name) => textAt(given, name))
}

/** The server's reply without values that its client may not know. */
export async function withoutRefused(routed: Routed, addressWith: AddressWith, reply: Reply): Promise<Reply> {
  const completion = reply.kind === "result" ? objectAt(reply.result, "completion") : undefined
  if (reply.kind === "error" || completion === undefined) return reply
  const values = listAt(completion, "values") ?? []
  const shown = values.slice(0, mostValues).filter((value) => typeof value === "string")
  const may = await mayBeKnown(routed, addressWith, shown)
  const kept = shown.filter((_, at) => may[at] === true)
  if (kept.length === values.length) return reply
  // How many there are says something of those that are left out.
  return { kind: "result", result: { ...reply.result, completion: { values: kept } } }
}

export const nothingToComplete: Reply = { kind: "result", result: { completion: { values: [] } } }

async function mayBeKnown(
  routed: Routed,
  addressWith: AddressWith,
  values: readonly string[],
): Promise<readonly boolean[]> {
  const { context, server } = routed.relay
  // Otherwise the address is not known up to the variable that is completed.
  const isReached = addressWith("a") !== addressWith("b")
  if (!isReached) return values.map(() => !context.rulesResources(server.id))
  const known = await inTurns(
    values,
    (value) => leadsToKnown(routed, addressWith(value)),
    loopShare.of(routed.caller.principal.id),
    () => isWanted(routed.exchange),
    1,
  )
  return known ?? []
}

/** Most rules need no more than the address as a name, which is remembered; those with conditions look at it as an argument. */
async function leadsToKnown({ relay, caller }: Routed, address: string | null): Promise<boolean> {
  if (address === null) return false
  const { visibility, gate } = relay.context
  const target: Target = { server: relay.server.id, kind: "resource", name: address }
  const effect = await visibility.effect(target, caller)
  if (effect !== "ask") return effect === "allow"
  const { effect: exactly } = await gate.judge(target, { uri: address }, caller)
  return exactly !== "hide" && exactly !== "deny"
}
