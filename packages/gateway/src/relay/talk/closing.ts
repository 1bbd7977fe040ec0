/** Servers that a rule, or a reviewer's quarantine, closes as a whole. */
import type { Caller } from "../../wire/caller.ts"
import type { NoticeListener, ServerHello } from "../../wire/exchange.ts"
import { createWaitingNotices, type SeenNotice } from "../../wire/methods/waiting-notices.ts"
import type { ServerRelay } from "../server-relay.ts"
import { isJudged, unlessRefused } from "./unless-refused.ts"

/** `hidden`: all of it, so that there is nothing to be listed. `denied`: what it lists may be known. */
export type Closing = "open" | "denied" | "hidden"

export async function closingOf(relay: Pick<ServerRelay, "context" | "server">, caller: Caller): Promise<Closing> {
  let closing: Closing = "hidden"
  for (const kind of ["tool", "resource", "prompt", "sampling", "elicitation", "roots"] as const) {
    const effect = await relay.context.visibility.effect({ server: relay.server.id, kind, name: "" }, caller)
    if (effect !== "hide" && effect !== "deny") return "open"
    if (effect === "deny") closing = "denied"
  }
  return closing
}

/** Then what policy has no word for does not pass either. */
export async function isClosed(relay: Pick<ServerRelay, "context" | "server">, caller: Caller): Promise<boolean> {
  return (await closingOf(relay, caller)) !== "open"
}

/** A hello in place of the server's own, whose lists are all empty, and may change. */
export function helloInstead({ server }: ServerRelay, caller: Caller): ServerHello {
  const changes = { listChanged: true }
  return {
    capabilities: { tools: changes, prompts: changes, resources: changes },
    serverInfo: { name: server.id, version: "0" },
    version: caller.version,
    more: {},
  }
}

/**
 * Of a server that is closed nobody hears more than that its lists have changed, which is ours to say; nobody is asked anything by it, nor gives it an answer.
 * Each member is named: one that is new passes only when somebody has looked at it. `forget`: nobody listens any more.
 */
export function hearingOnlyOpen(
  relay: ServerRelay,
  caller: Caller,
  listener: NoticeListener,
): { readonly heard: NoticeListener; readonly forget: () => void } {
  const { inquire, isOpen, granted, wants } = listener
  const { context, server } = relay
  /** The server was open by what could be known then, as of `Visibility`; null: nobody has looked yet. */
  let openAsOf: number | null = null
  const waiting = createWaitingNotices({
    passes: (notice) => openAsOf === context.visibility.changes(caller.session) && !isJudged(notice),
    look: async (notice): Promise<SeenNotice> => {
      const changes = context.visibility.changes(caller.session)
      if (await isClosed(relay, caller))
        return notice.method.endsWith("/list_changed") ? { method: notice.method } : null
      openAsOf = changes
      return unlessRefused(relay, caller, notice)
    },
    tell: (notice) => listener.notify(notice),
    log: (words) => context.log(`${server.id}: ${words}`),
  })
  const heard: NoticeListener = {
    notify: (notice) => {
      // The gateway's own words; nothing is in them that could be judged.
      if (notice.params === undefined && notice.method.endsWith("/list_changed")) listener.notify(notice)
      else waiting.add(notice)
    },
    inquire: (ask) => relay.underWay.inquire({ caller, inquire }, ask),
    ...(isOpen === undefined ? {} : { isOpen }),
    ...(granted === undefined ? {} : { granted }),
    ...(wants === undefined ? {} : { wants }),
  }
  return { heard, forget: waiting.forget }
}
