/**
 * Listening to a resource is asking for it.
 *
 * I1. What policy hides, denies or asks about is not listened to.
 * I2. Where a rule is about a resource, whether it is listened to is recorded, as a subscription of the legacy era is.
 */
import type { Call } from "@byleave/core"
import type { Caller } from "../../wire/caller.ts"
import type { NoticeListener } from "../../wire/exchange.ts"
import type { ServerRelay } from "../server-relay.ts"

/** The listener with those resources alone that this caller may hear of; it is told which they are. */
export async function grantListening(
  relay: ServerRelay,
  caller: Caller,
  listener: NoticeListener,
): Promise<NoticeListener> {
  const { wants } = listener
  if (wants === undefined || wants.resources.size === 0) return listener
  const resources = new Set<string>()
  for (const uri of wants.resources) if (await isGranted(relay, caller, uri)) resources.add(uri)
  listener.granted?.(resources)
  return { ...listener, wants: { ...wants, resources } }
}

async function isGranted({ context, server }: ServerRelay, caller: Caller, uri: string): Promise<boolean> {
  const { principal, session } = caller
  const args = { uri }
  const decision = await context.gate.judge({ server: server.id, kind: "resource", name: uri }, args, caller)
  if (decision.because.kind === "passes") return true
  // No person is asked, since the listener waits for the acknowledgement.
  if (decision.effect === "ask") return false
  const call: Call = {
    kind: "resource",
    tool: { server: server.id, tool: uri },
    args,
    principal,
    session,
    extraParams: { method: "subscriptions/listen" },
  }
  const outcome = await context.gate.submit(call, async () => ({ kind: "succeeded", result: {} }), {
    until: () => Promise.resolve(),
  })
  return outcome.kind === "result"
}
