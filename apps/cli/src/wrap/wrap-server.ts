import type { ChildProcessWithoutNullStreams } from "node:child_process"
import { randomBytes, randomUUID } from "node:crypto"
import type { Readable } from "node:stream"
import { setTimeout as pause } from "node:timers/promises"
import { attendSession, createRemoteGate, elapsedHere, type LaunchSwitch, tellSeen, wordHoldsMs } from "@byleave/api"
import { createGateway } from "@byleave/gateway"
import { createSealer } from "../service/sealer.ts"
import { endAfterUs } from "./end-after-us.ts"
import { memoryRecords } from "./memory-records.ts"
import { type NodeTransport, type NodeTransportOptions, nodeTransport } from "./node-transport.ts"
import { serverProgram } from "./server-program.ts"

export type WrapOptions = {
  readonly name: string
  readonly command: string
  /** The command's, as it has been found; null: there is none. */
  readonly file: string | null
  readonly args: readonly string[]
  /** The client's own: the child is started as the client would have started it. */
  readonly env: ReadonlyMap<string, string>
  readonly cwd: string
  /** The child, where it has been started already. */
  readonly started?: () => ChildProcessWithoutNullStreams | null
  readonly service: NodeTransportOptions
  /** The switches that its client was started with. */
  readonly switches: readonly LaunchSwitch[]
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
  const { command, file, args, env, cwd, started } = options
  const program = serverProgram({ command, file, args, cwd, env }, service.token)
  let decidesInClient = false
  const gate = createRemoteGate({
    transport,
    newId,
    pause: (ms) => pause(ms, undefined, { ref: false }),
    onTrouble: (trouble) => log(`the service did not accept an outcome: ${String(trouble)}`),
    onDecidesInClient: (decides) => {
      decidesInClient = decides
    },
    here: {
      program,
      onOtherProgram: once(() => log(otherProgram(name, program))),
    },
  })
  const session = `${options.pid}-${options.now().toString(36)}`
  // The folder that its client reports is better than the one it happens to have been started in.
  let folder = cwd
  // A command that was not found is not looked for again.
  const start = file === null ? { command, env: new Map([...env, ["PATH", ""]]) } : { command: file, env }
  const child = { kind: "stdio" as const, ...start, args, cwd, onStarted: endAfterUs }
  const gateway = createGateway({
    gate,
    servers: [{ id: name, transport: { ...child, ...(started && { started }) } }],
    sealer: createSealer(randomBytes(32)),
    ...memoryRecords(),
    now: options.now,
    newId,
    identify: async () => null,
    hosts: () => new Set(),
    origins: () => new Set(),
    inbox: () => service.url,
    get decideInClient() {
      return decidesInClient
    },
    onCaller: (seen) => {
      folder = seen.folder ?? folder
      void tellSeen(transport, { agent: name, session: { id: session, named: true }, client: seen.client, folder })
    },
    word: { holdsMs: wordHoldsMs, elapsed: elapsedHere },
    log,
  })
  const identity = { principal: { id: name }, namesSessions: false, session }
  const { input, output } = options
  const closing = new AbortController()
  const own = { agent: name, session: { id: session, named: true } }
  void transport.connected().then(
    // A client that says nothing of itself is known by where it was started.
    () => tellSeen(transport, { ...own, client: null, folder, switches: options.switches }),
    () => undefined,
  )
  void attend(transport, own, closing.signal)
  // The first thing once its client is gone: nobody is left for whom a yes could count.
  let ended: Promise<unknown> = Promise.resolve()
  const onEnd = (): void => {
    ended = gate.endSession({ principal: name, id: session, named: true }).catch(() => undefined)
  }
  // Asked to stop, it does what it does when its client leaves.
  void options.stopped.then(() => input.destroy())
  await gateway.serveStdio({ input, output, onEnd }, name, identity)
  // Running calls have had their time.
  await gateway.close(0)
  // The service ends the session of a wrap that could not say so.
  await Promise.race([Promise.all([ended, gate.close()]), pause(goodbyeMs, undefined, { ref: false })])
  closing.abort()
  transport.close()
}

/** How it was started says which variables and folders count. */
function otherProgram(name: string, program: string): string {
  const started = program.length > 500 ? `${program.slice(0, 500)}…` : program
  return `${name} is a different program than those accepted (it is ${started}), so all its calls wait until a reviewer accepts it. If it is a different server, give it its own name with --name.`
}

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

const goodbyeMs = 3_000

/** Ties the session to the connection that stands. */
async function attend(
  transport: NodeTransport,
  session: Parameters<typeof attendSession>[0]["session"],
  closing: AbortSignal,
): Promise<void> {
  const standing: NodeTransport = {
    ...transport,
    post: async (...given) => {
      await transport.connected()
      return transport.post(...given)
    },
  }
  await attendSession({ transport: standing, session, pause: (ms) => pause(ms, undefined, { ref: false }), closing })
}
