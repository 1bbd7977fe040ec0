/**
 * A decision in the client.
 *
 * I1. Nobody is asked in the client unless the configuration lets that count.
 * I2. What is asked every time, of several or of a group is never decided there.
 * I3. It counts for this one call as it was shown, and the record says that nobody verified the person.
 * I4. The form shows every argument of what would run.
 */
import type { Approval, JsonObject } from "@byleave/core"
import { showText, toolName } from "@byleave/core"
import type { Exchange } from "../wire/exchange.ts"
import { objectAt, textAt } from "../wire/members.ts"
import type { HoldContext } from "./context.ts"

const reason = "answered in the client, person unverified"

/**
 * Asks whoever sits at the client, where the configuration lets that count: once, never for what is asked every time or of several. A
 * form is no proof of a person, so the record says what it was. Whoever answers elsewhere first wins.
 */
export async function askInClient(context: HoldContext, exchange: Exchange, approval: Approval): Promise<void> {
  if (!context.decideInClient || !mayBeAskedThere(approval) || !showsForms(exchange.caller.abilities)) return
  const reply = await exchange.inquire({ method: "elicitation/create", params: formOf(approval) })
  if (reply.kind === "error" || reply.result.action !== "accept") return
  const decision = textAt(objectAt(reply.result, "content"), "decision")
  if (decision !== "approve" && decision !== "deny") return
  await context.gate.answer({
    approval: approval.id,
    kind: decision,
    digest: approval.runDigest,
    reviewer: { id: `client:${approval.principal.id}`, groups: [] },
    reason,
  })
}

function mayBeAskedThere({ remember, needs }: Approval): boolean {
  return remember !== "never" && needs.approvals === 1 && needs.groups.length === 0
}

function showsForms(abilities: JsonObject): boolean {
  const elicitation = objectAt(abilities, "elicitation")
  if (elicitation === undefined) return false
  return Object.hasOwn(elicitation, "form") || !Object.hasOwn(elicitation, "url")
}

function formOf(approval: Approval): JsonObject {
  const name = showText(toolName(approval.tool))
  const shown = showText(JSON.stringify(approval.editedArgs ?? approval.args))
  return {
    mode: "form",
    message: `Byleave asks: may ${name} run once with these arguments? ${shown}`,
    requestedSchema: {
      type: "object",
      properties: {
        decision: { type: "string", title: "Decision", enum: ["approve", "deny"] },
      },
      required: ["decision"],
    },
  }
}
