import type { Caller } from "../../wire/caller.ts"
import type { Notice } from "../../wire/message.ts"
import { serverMethods } from "../../wire/methods/server-methods.ts"
import type { ServerRelay } from "../server-relay.ts"

const rows = serverMethods.filter(({ form, judgedAs }) => form === "notification" && judgedAs?.includes("elicitation"))
const elicitationNotices: ReadonlySet<string> = new Set(rows.map(({ method }) => method))

/** Tells a client that an elicitation is over, unless policy keeps the server from asking it anything; all other notices are told as they are. */
export function tellUnlessRefused(
  relay: Pick<ServerRelay, "context" | "server">,
  caller: Caller,
  notice: Notice,
  tell: (notice: Notice) => void,
): void {
  if (!elicitationNotices.has(notice.method)) tell(notice)
  else tellOfElicitation(relay, caller, () => tell(notice))
}

function tellOfElicitation(
  { context, server }: Pick<ServerRelay, "context" | "server">,
  caller: Caller,
  tell: () => void,
): void {
  const target = { server: server.id, kind: "elicitation", name: "elicitation" } as const
  context.visibility.effect(target, caller).then(
    (effect) => {
      if (effect !== "hide" && effect !== "deny") tell()
    },
    () => context.log(`${server.id}: something it told is kept back.`),
  )
}
