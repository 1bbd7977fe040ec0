import { dirname } from "node:path"
import { type Scratch, type StoreSpec, scratchStore } from "../faults/store-spec.ts"
import { countsIn } from "./dispatches.ts"
import { expectOneStory } from "./expect-one-story.ts"
import { lookOn, type Onlooker } from "./onlooker.ts"
import { type FaultGateway, type FaultGatewayOptions, openFaultGateway } from "./open-gateway.ts"
import { type Counting, httpUpstream, stdioUpstream } from "./start-upstream.ts"

/** A gateway in this process before a counting server, and a person who answers. */
export type Scene = {
  readonly url: string
  readonly spec: StoreSpec
  readonly front: FaultGateway
  readonly upstream: Counting
  readonly onlooker: Onlooker
  /** Answers the call that waits under this name, as soon as it does. */
  readonly answer: (n: string, kind: "approve" | "deny") => Promise<void>
  readonly runs: (n: string) => number
  /** Ends everything; what is left must tell one story. */
  readonly close: () => Promise<void>
}

export type SceneOptions = Omit<FaultGatewayOptions, "spec" | "servers"> & {
  readonly store?: StoreSpec["kind"]
  readonly transport?: "http" | "stdio"
  /** How long the server may take for a call. */
  readonly timeoutMs?: number
}

export async function openScene(options: SceneOptions = {}): Promise<Scene> {
  const { spec, dispose }: Scratch = scratchStore(options.store ?? "sqlite")
  const folder = dirname(spec.dispatches)
  const upstream = options.transport === "stdio" ? stdioUpstream(folder) : await httpUpstream(folder)
  const server = { id: "counting", transport: upstream.transport, timeoutMs: options.timeoutMs ?? 20_000 }
  const front = await openFaultGateway({ ...options, spec, servers: [server] })
  const onlooker = lookOn(front.store)
  return {
    url: front.url,
    spec,
    front,
    upstream,
    onlooker,
    answer: async (n, kind) => {
      const { id, runDigest } = await onlooker.sees(n, "pending")
      await front.gate.answer({ approval: id, kind, digest: runDigest, reviewer })
    },
    runs: (n) => countsIn(upstream.log).get(n) ?? 0,
    close: async () => {
      onlooker.leave()
      await front.close()
      await upstream.stop()
      await expectOneStory(spec, upstream.log)
      dispose()
    },
  }
}

export const reviewer = { id: "ana", groups: [] }

/** What the client of a call that ran is told. */
export const did = (n: string) => ({ result: { content: [{ type: "text", text: `did ${n}` }] } })
