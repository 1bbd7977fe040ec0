/** Servers that a rule, or a reviewer's quarantine, closes as a whole. */
import type { Caller } from "../../wire/caller.ts"
import type { NoticeListener, ServerHello } from "../../wire/exchange.ts"
import type { Notice } from "../../wire/message.ts"
import type { ServerRelay } from "../server-relay.ts"
import { tellUnlessRefused } from "./tell-unless-refused.ts"

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
 * Each member is named: one that is new passes only when somebody has looked at it.
 */
export function hearingOnlyOpen(relay: ServerRelay, caller: Caller, listener: NoticeListener): NoticeListener {
  const { inquire, isOpen, granted, wants } = listener
  const pass = async (notice: Notice): Promise<void> => {
    if (!(await isClosed(relay, caller))) tellUnlessRefused(relay, caller, notice, listener.notify)
    else if (notice.method.endsWith("/list_changed")) listener.notify({ method: notice.method })
  }
  return {
    notify: (notice) => {
      // The gateway's own words; nothing is in them that could be judged.
      if (notice.params === undefined && notice.method.endsWith("/list_changed")) listener.notify(notice)
      else pass(notice).catch(() => relay.context.log(`${relay.server.id}: something it told is kept back.`))
    },
    inquire: (ask) => relay.underWay.inquire({ caller, inquire }, ask),
    ...(isOpen === undefined ? {} : { isOpen }),
    ...(granted === undefined ? {} : { granted }),
    ...(wants === undefined ? {} : { wants }),
  }
}
