/**
 * The tools and instructions of a server that agents may be told, as the service answers.
 *
 * I1. What the service did not answer for is not told: a failure or a short answer is an error, never the server's own words.
 */
import { type CallerGate, readJson } from "@byleave/core"
import { problemOf } from "../client/service-answer.ts"
import { gatePaths } from "./gate-paths.ts"
import type { GateTransport } from "./gate-transport.ts"
import type { InstructionsAnswer, OfferedAnswer } from "./gate-wire.ts"

export function remoteDefinitions(transport: GateTransport): Pick<CallerGate, "offeredTools" | "seeInstructions"> {
  return {
    offeredTools: async (server, tools) => {
      const { offered } = (await ask(transport, gatePaths.offered, { server, tools })) as OfferedAnswer
      if (offered.length !== tools.length) throw new Error(noWord)
      return tools.flatMap((tool, at) => {
        const instead = offered[at] ?? []
        return instead === true ? [tool] : instead
      })
    },
    seeInstructions: async (server, instructions) => {
      const said = instructions === undefined ? { server } : { server, instructions }
      const { instructions: told } = (await ask(transport, gatePaths.instructions, said)) as InstructionsAnswer
      return told ?? undefined
    },
  }
}

const noWord =
  "The service did not report what agents may see of this server. Is it the same version? Stop it with `byleave stop`."

/** Such as a server's name that another credential uses. */
const refusedWithReason = 409

async function ask(transport: GateTransport, path: string, body: object): Promise<unknown> {
  const { status, text } = await transport.post(path, JSON.stringify(body))
  const read = readJson(text, { bytes: 64 * 1024 * 1024, values: Number.POSITIVE_INFINITY })
  if (status === refusedWithReason) throw new Error(problemOf(status, text))
  if (status !== 200 || !read.ok) throw new Error(noWord)
  return read.value
}
