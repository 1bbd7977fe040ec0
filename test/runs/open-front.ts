import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { ScriptedStep } from "@byleave/core"
import { answerAgUi, answerUiChat, type FrontCaller, type FrontPorts, reopenUiChat } from "@byleave/runs"
import { getRequestListener } from "@hono/node-server"
import { openRuns, starter, type World } from "./open-runs.ts"

export type Front = World & {
  readonly url: string
  readonly ports: FrontPorts
  readonly caller: FrontCaller
  readonly close: () => Promise<void>
}

/** Runs behind a loopback address. `conveys`: whether the program's yes counts. */
export async function openFront(
  steps: readonly ScriptedStep[],
  { conveys = true, ...more }: { readonly conveys?: boolean } & Parameters<typeof openRuns>[1] = {},
): Promise<Front> {
  const world = await openRuns(steps, more)
  const { runs, gate, store } = world
  const orderFor: FrontPorts["orderFor"] = ({ instructions }) => ({
    servers: ["files"],
    ...(instructions === undefined ? {} : { instructions }),
  })
  const ports: FrontPorts = { runs, gate, store, orderFor, keepAliveMs: 50 }
  const caller: FrontCaller = {
    starter,
    convey: ({ id }, { approve, reason }) =>
      gate.conveyAnswer({
        approval: id,
        kind: approve ? "approve" : "deny",
        by: "page",
        conveysDecisions: conveys,
        ...(reason === undefined ? {} : { reason }),
      }),
  }
  const answer = async (request: Request): Promise<Response> => {
    const { pathname } = new URL(request.url)
    if (pathname === "/ag-ui") return answerAgUi(ports, request, caller)
    if (pathname === "/chat") return answerUiChat(ports, request, caller)
    const [, run = ""] = pathname.match(/^\/chat\/([^/]+)\/stream$/) ?? []
    return reopenUiChat(ports, run, caller, { signal: request.signal })
  }
  const server = createServer(getRequestListener(answer))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await runs.close()
  }
  return { ...world, url: `http://127.0.0.1:${port}`, ports, caller, close }
}
