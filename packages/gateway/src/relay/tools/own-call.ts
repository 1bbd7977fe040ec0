import type { Call } from "@byleave/core"
import { makeExchange } from "../../downstream/make-exchange.ts"
import { errorCode, errorReply } from "../../wire/errors.ts"
import type { Backend } from "../../wire/exchange.ts"
import type { Reply } from "../../wire/message.ts"
import { newestLegacy } from "../../wire/versions.ts"

/**
 * A call that Byleave makes itself, for the principal it names: judged and recorded as any other. It has no client to be asked, and after
 * `withinMs` it is withdrawn, so that it never waits for a person.
 */
export async function ownCall(backend: Backend, call: Call, withinMs: number): Promise<Reply> {
  const { principal, session, tool, args } = call
  const exchange = makeExchange({
    caller: {
      principal,
      session,
      conversation: `own ${session.id}`,
      era: "legacy",
      version: newestLegacy,
      client: null,
      abilities: {},
    },
    ask: { method: "tools/call", params: { name: tool.tool, arguments: args } },
    paramHeaders: null,
    notify: () => {},
    inquire: async () => nobody,
    keepOpen: () => {},
  })
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Reply>((resolve) => {
    timer = setTimeout(() => {
      exchange.withdraw()
      resolve(tooLate)
    }, withinMs)
  })
  try {
    return await Promise.race([backend.handle(exchange), late])
  } finally {
    clearTimeout(timer)
  }
}

const nobody = errorReply(errorCode.methodNotFound, "Nobody can be asked anything during this call.")
const tooLate = errorReply(errorCode.internal, "It took too long.")
