/**
 * Completions of a resource's address. A template says little of what it leads to: what counts is the address it makes.
 *
 * I1. What is typed so far is judged as the beginning of an address, whatever the template says that it is typed into.
 * I2. No completion leads to an address that policy hides or denies; where the address cannot be told, since an earlier part of it is open, none is given
 *     while a rule hides, denies or asks about resources of the server.
 * I3. Where the beginning is hidden, there is nothing to complete it with, as where nothing begins so; nor is there where no address is so long.
 */
import { setImmediate } from "node:timers/promises"
import { inTurns, type JsonObject, listAt, objectAt, type Target, textAt } from "@byleave/core"
import { isWanted } from "../../wire/exchange.ts"
import type { Reply } from "../../wire/message.ts"
import type { Routed } from "../route.ts"
import { expandTemplate } from "../several/uri-template.ts"

/** MCP allows no more in one answer. */
const mostValues = 100
const turns = { now: () => performance.now(), nextTurn: () => setImmediate() }

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

/** The address as far as it is known with this value; null: it is longer than any. */
function addressWith({ template, variable, given }: Completing, value: string): string | null {
  const lookup = (name: string): string | undefined => (name === variable ? value : textAt(given, name))
  return expandTemplate(template, lookup)?.address ?? null
}

/** The beginning of the address that is typed so far; null: it is longer than any. */
export function typedAddress(completing: Completing): string | null {
  return addressWith(completing, completing.typed)
}

/** The server's reply without values that its client may not know. */
export async function withoutRefused(routed: Routed, completing: Completing, reply: Reply): Promise<Reply> {
  const completion = reply.kind === "result" ? objectAt(reply.result, "completion") : undefined
  if (reply.kind === "error" || completion === undefined) return reply
  const values = listAt(completion, "values") ?? []
  const shown = values.slice(0, mostValues).filter((value) => typeof value === "string")
  const may = await mayBeKnown(routed, completing, shown)
  const kept = shown.filter((_, at) => may[at] === true)
  if (kept.length === values.length) return reply
  // How many there are says something of those that are left out.
  return { kind: "result", result: { ...reply.result, completion: { values: kept } } }
}

export const nothingToComplete: Reply = { kind: "result", result: { completion: { values: [] } } }

async function mayBeKnown(
  routed: Routed,
  completing: Completing,
  values: readonly string[],
): Promise<readonly boolean[]> {
  const { context, server } = routed.relay
  if (!isReached(completing)) return values.map(() => !context.rulesResources(server.id))
  const known = await inTurns(
    values,
    (value) => leadsToKnown(routed, addressWith(completing, value)),
    turns,
    () => isWanted(routed.exchange),
  )
  return known ?? []
}

/** Whether the address is known up to the variable that is completed. */
function isReached(completing: Completing): boolean {
  const [one, other] = ["a", "b"].map((value) => addressWith(completing, value))
  return one !== other
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
