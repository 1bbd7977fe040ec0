import type { ChildProcessWithoutNullStreams } from "node:child_process"
import { randomBytes, randomUUID } from "node:crypto"
import type { Readable } from "node:stream"
import { setTimeout as pause } from "node:timers/promises"
import { createRemoteGate, tellSeen } from "@byleave/api"
import { createGateway } from "@byleave/gateway"
import { createSealer } from "../service/sealer.ts"
import { memoryBooks } from "./memory-books.ts"
import { type NodeTransportOptions, nodeTransport } from "./node-transport.ts"

export type WrapOptions = {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  /** The client's own: the child is started as the client would have started it. */
  readonly env: ReadonlyMap<string, string>
  readonly cwd: string
  /** The child, where it has been started already. */
  readonly started?: () => ChildProcessWithoutNullStreams | null
  readonly service: NodeTransportOptions
  /** Resolves when this process is asked to stop. */
  readonly stopped: Promise<unknown>
  readonly input: Readable
  readonly output: NodeJS.WritableStream
  readonly now: () => number
  readonly pid: number
  readonly log: (line: string) => void
}

/** One stdio server behind the gate of a running service, for one client. Resolves when the client is gone. */
export async function wrapServer(options: WrapOptions): Promise<void> {
  const { name, service, log } = options
  const transport = nodeTransport(service)
  const newId = randomUUID
  const gate = createRemoteGate({
    transport,
    newId,
    pause: (ms) => pause(ms, undefined, { ref: false }),
    onTrouble: (trouble) => log(`the service did not take an outcome: ${String(trouble)}`),
  })
  const { command, args, env, cwd, started } = options
  const session = `${options.pid}-${options.now().toString(36)}`
  // What its client says of where it works is better than where it happens to have been started.
  let folder = cwd
  const gateway = createGateway({
    gate,
    servers: [{ id: name, transport: { kind: "stdio", command, args, env, cwd, ...(started && { started }) } }],
    sealer: createSealer(randomBytes(32)),
    ...memoryBooks(),
    now: options.now,
    newId,
    identify: async () => null,
    hosts: () => new Set(),
    origins: () => new Set(),
    inbox: () => service.url,
    onCaller: (seen) => {
      folder = seen.folder ?? folder
      void tellSeen(transport, { agent: name, session: { id: session, named: true }, client: seen.client, folder })
    },
    log,
  })
  const identity = { principal: { id: name }, namesSessions: false, session }
  const { input, output } = options
  // Asked to stop, it does what it does when its client leaves.
  void options.stopped.then(() => input.destroy())
  await gateway.serveStdio({ input, output }, name, identity)
  await gateway.close()
  await gate.endSession({ principal: name, id: session, named: true }).catch(() => undefined)
  await gate.close()
  transport.close()
}
