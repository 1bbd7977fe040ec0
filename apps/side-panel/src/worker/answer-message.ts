import { type ListedServer, type PanelMessage, readType, type WaitingNews, type WorkerReply } from "../wire/messages.ts"
import { shortWords } from "../wire/short-words.ts"
import type { CarryOut } from "./carry-out.ts"
import type { McpServers } from "./mcp-servers.ts"

type AnswerPorts = {
  readonly servers: McpServers
  readonly calls: CarryOut
  readonly showWaiting: (news: WaitingNews) => Promise<void>
}

/** Answers a message of the panel. */
export async function answerMessage(message: PanelMessage, ports: AnswerPorts): Promise<WorkerReply<unknown>> {
  try {
    return await answer(message, ports)
  } catch (error) {
    return { success: false, error: shortWords(error instanceof Error ? error.message : String(error)) }
  }
}

async function answer(message: PanelMessage, ports: AnswerPorts): Promise<WorkerReply<unknown>> {
  const { servers, calls, showWaiting } = ports
  if (message.type === "panel/waiting") {
    await showWaiting(message.payload)
    return done
  }
  const asked = readType(message.type)
  if (asked === null) return { success: false, error: "The worker does not know this message." }
  const { server, verb } = asked
  switch (verb) {
    case "connect":
      await servers.connect(
        server,
        (message as Extract<PanelMessage, { type: `mcp/${string}/connect` }>).payload.address,
      )
      return done
    case "tool/call":
      return calls.call(server, (message as Extract<PanelMessage, { type: `mcp/${string}/tool/call` }>).payload)
    case "tool/outcome":
      return calls.outcome(keyIn(message))
    case "tool/cancel":
      calls.cancel(keyIn(message))
      return done
    case "tools/list":
      return { success: true, data: await listed(servers, server, message) }
    case "disconnect":
      await servers.disconnect(server)
      return done
  }
}

const done: WorkerReply<null> = { success: true, data: null }

function listed(servers: McpServers, server: string, { payload }: PanelMessage): Promise<ListedServer> {
  const candidate = "candidate" in payload ? payload.candidate : undefined
  return candidate === undefined ? servers.list(server) : servers.tryOut(candidate)
}

function keyIn({ payload }: PanelMessage): string {
  return "key" in payload ? payload.key : ""
}
