/**
 * A decision in the client.
 *
 * I1. Nobody is asked in the client unless the configuration lets that count, and no answer counts once it does not any more.
 * I2. What is asked every time, of several or of a group is never decided there, whether it was so from the start or has become so.
 * I3. It counts for this one call as it was shown, and the record says that nobody verified the person.
 * I4. The form shows every argument of what would run, and what else goes to the server.
 */
import {
  type Approval,
  type JsonObject,
  mayBeDecidedInClient,
  objectAt,
  shownName,
  showText,
  textAt,
  toolName,
} from "@byleave/core"
import type { Exchange } from "../wire/exchange.ts"
import type { HoldContext } from "./context.ts"

/**
 * Asks the user of the client, where the configuration lets that count: once, never for a call that must be asked every time or of several
 * people. A form is no proof of a person, so the record says what it was. An earlier answer from elsewhere wins.
 */
export async function askInClient(context: HoldContext, exchange: Exchange, approval: Approval): Promise<void> {
  if (!counts(context, approval) || !showsForms(exchange.caller.abilities)) return
  const reply = await exchange.inquire({ method: "elicitation/create", params: formOf(approval) })
  if (reply.kind === "error" || reply.result.action !== "accept") return
  const decision = textAt(objectAt(reply.result, "content"), "decision")
  if (decision !== "approve" && decision !== "deny") return
  // The answer may have taken its time: it counts by the configuration, and the gate looks at the approval, as they are now.
  if (!context.decideInClient) return
  await context.gate.answerInClient({ approval: approval.id, kind: decision, digest: approval.runDigest })
}

function counts(context: HoldContext, approval: Approval): boolean {
  return context.decideInClient && mayBeDecidedInClient(approval)
}

function showsForms(abilities: JsonObject): boolean {
  const elicitation = objectAt(abilities, "elicitation")
  if (elicitation === undefined) return false
  return Object.hasOwn(elicitation, "form") || !Object.hasOwn(elicitation, "url")
}

const continuesWords = "It continues a question that the server asked; requestState is the server's own note of it."

function formOf(approval: Approval): JsonObject {
  const name = shownName(toolName(approval.tool))
  const { extraParams, editedArgs, args } = approval
  const extra = extraParams === undefined ? "" : ` Sent with them: ${showText(JSON.stringify(extraParams))}`
  const goesOn = extraParams !== undefined && Object.hasOwn(extraParams, "requestState") ? ` ${continuesWords}` : ""
  const shown = `${showText(JSON.stringify(editedArgs ?? args))}${extra}${goesOn}`
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
