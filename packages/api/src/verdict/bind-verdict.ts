/**
 * The digest that a verdict is bound to. The program that shows a call computes it from what it shows, never from a digest it was given: a
 * program in between could show one call and have another approved. The service computes the same from what it holds. For pages, too: no
 * schemas here.
 *
 * I1. Another call, another agent, starter of its run or session, another server, tool or kind, other arguments, and anything else sent with them each give
 *     another digest.
 * I2. So do another answer, other edited arguments, and anything else to be remembered.
 */
import { canonicalJson, type JsonObject, readStoredJson } from "@byleave/core"
import type { VerdictBody } from "../bodies.ts"
import { sha256 } from "../client/sha256.ts"

/** A held call as it is shown; an `ApprovalView` is one. */
export type ShownCall = {
  readonly id: string
  readonly kind: string
  readonly tool: { readonly server: string; readonly tool: string }
  readonly principal: { readonly id: string }
  readonly session: { readonly principal: string; readonly id: string }
  readonly starter?: string
  readonly args: JsonObject | null
  readonly argsText?: string | null
  readonly callDigest: string
  readonly editedArgs: JsonObject | null
  readonly editedArgsText?: string | null
  readonly runDigest: string
  readonly extraParams?: JsonObject
  readonly extraParamsText?: string
  readonly droppedParams?: readonly string[]
}

/** An answer before it is bound to what was shown. */
export type UnboundVerdict = Omit<VerdictBody, "digest" | "remember"> & {
  readonly remember?: Omit<NonNullable<VerdictBody["remember"]>, "alsoSettles"> & {
    /** Other calls that are answered along, each as it was shown. */
    readonly alsoSettles?: readonly ShownCall[]
  }
}

/** The arguments that would run, with numbers as they were written; null once retention has removed them. Show these and no others. */
export function shownArguments(call: ShownCall): JsonObject | null {
  return call.runDigest === call.callDigest
    ? exactArguments(call.args, call.argsText)
    : exactArguments(call.editedArgs, call.editedArgsText)
}

/** The params sent to the server besides the arguments; null if there are none. Show them with the arguments. */
export function shownExtraParams({ extraParams, extraParamsText }: ShownCall): JsonObject | null {
  return exactArguments(extraParams ?? null, extraParamsText)
}

/** With numbers as they were written: `text` is given where a JSON reader would have rounded one. */
export function exactArguments(args: JsonObject | null, text: string | null | undefined): JsonObject | null {
  return typeof text === "string" ? (readStoredJson(text) as JsonObject) : args
}

export function shownText(call: ShownCall): string {
  return canonicalJson(shownMembers(call))
}

export function verdictText(call: ShownCall, answer: Omit<VerdictBody, "digest">): string {
  return canonicalJson({ call: shownMembers(call), answer: answer as JsonObject })
}

function shownMembers(call: ShownCall): JsonObject {
  return {
    version: 1,
    approval: call.id,
    kind: call.kind,
    server: call.tool.server,
    tool: call.tool.tool,
    arguments: shownArguments(call),
    extraParams: shownExtraParams(call),
    droppedParams: [...(call.droppedParams ?? [])],
    principal: call.principal.id,
    session: [call.session.principal, call.session.id],
    ...(call.starter === undefined ? {} : { starter: call.starter }),
  }
}

/** The digest of a call as it is shown: what running it anew is bound to. */
export function shownDigest(call: ShownCall): Promise<string> {
  return sha256(shownText(call))
}

/** The verdict as the API takes it: bound to the call that is shown, and to all that is answered. */
export async function bindVerdict(call: ShownCall, verdict: UnboundVerdict): Promise<VerdictBody> {
  const answer = await answerOf(verdict)
  return { ...answer, digest: await sha256(verdictText(call, answer)) }
}

async function answerOf({ remember, ...rest }: UnboundVerdict): Promise<Omit<VerdictBody, "digest">> {
  if (remember === undefined) return rest
  const { alsoSettles, ...kept } = remember
  if (alsoSettles === undefined) return { ...rest, remember: kept }
  const along = alsoSettles.map(async (call) => ({ approval: call.id, digest: await shownDigest(call) }))
  return { ...rest, remember: { ...kept, alsoSettles: await Promise.all(along) } }
}
