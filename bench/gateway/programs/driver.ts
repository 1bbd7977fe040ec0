// The clients of a measurement. Orders come over the channel of the process that started this one.
import { performance } from "node:perf_hooks"
import type { BenchClient } from "../clients/bench-client.ts"
import { openLean } from "../clients/lean.ts"
import { openSdk } from "../clients/sdk.ts"
import type { Block, BlockNumbers, Connect, Order, Reply } from "../driver.ts"
import { quantile } from "../median.ts"

const clientsOf = new Map<string, readonly BenchClient[]>()
let lastMessage = 0

process.on("message", async (order: Order) => {
  const reply = await obey(order).then(
    (value): Reply => ({ id: order.id, value: value ?? null }),
    (cause: unknown): Reply => ({ id: order.id, error: cause instanceof Error ? cause.message : String(cause) }),
  )
  process.send?.(reply)
})

function obey(order: Order): Promise<unknown> {
  if ("connect" in order) return connect(order.connect)
  if ("block" in order) return block(order.block)
  return Promise.allSettled([...clientsOf.values()].flat().map((client) => client.close()))
}

async function connect({ target, endpoint, clients, kind, elicitation }: Connect): Promise<readonly number[]> {
  const open = kind === "sdk" ? openSdk : openLean
  const opened: BenchClient[] = []
  for (let n = 0; n < clients; n++) opened.push(await inTime(open(endpoint, { kind, elicitation })))
  clientsOf.set(target, opened)
  return opened.flatMap(({ pid }) => pid ?? [])
}

async function block({ target, clients, milliseconds }: Block): Promise<BlockNumbers> {
  const used = (clientsOf.get(target) ?? []).slice(0, clients)
  const times: number[] = []
  const started = performance.now()
  const end = started + milliseconds
  await inTime(Promise.all(used.map((client) => callUntil(end, client, times))), milliseconds + 20_000)
  const seconds = (performance.now() - started) / 1000
  return {
    calls: times.length,
    perSecond: times.length / seconds,
    p50: quantile(times, 0.5),
    p95: quantile(times, 0.95),
  }
}

async function callUntil(end: number, client: BenchClient, times: number[]): Promise<void> {
  for (let before = performance.now(); before < end; ) {
    await client.echo(`message number ${++lastMessage} of this measurement`)
    const after = performance.now()
    times.push(after - before)
    before = after
  }
}

/** A target that stops answering fails the measurement rather than hanging it. */
async function inTime<T>(work: Promise<T>, milliseconds = 20_000): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`No answer within ${milliseconds / 1000} s.`)), milliseconds)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
