/** How soon open pages hear of a call that waits, and of its verdict, through `byleave serve`; with one page open and with twenty. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { bindVerdict, type Client } from "@byleave/api"
import { startByleave } from "../gateway/byleave.ts"
import type { BenchClient } from "../gateway/clients/bench-client.ts"
import { openLean } from "../gateway/clients/lean.ts"
import { reviewerOf } from "../gateway/held.ts"
import { median, quantile } from "../gateway/median.ts"
import { cpuMilliseconds } from "../gateway/proc.ts"
import { startEcho } from "../gateway/programs/echo-server.ts"
import { type Followers, startFollowers } from "./followers.ts"
import { sharedClock } from "./shared-clock.ts"

/** In milliseconds, of every page's receipt of every event. */
export type Delivery = { readonly p50: number; readonly p95: number; readonly max: number }

export type PagesNumbers = {
  readonly pages: number
  /** From sending a call to a page's hearing that it waits. */
  readonly held: Delivery
  /** From sending a verdict to a page's hearing of it. */
  readonly decided: Delivery
  /** From sending a verdict to its answer, for comparison. */
  readonly answered: Delivery
  /** The time the service works for one call that is held, approved and run. */
  readonly cpuPerCall: number
}

export type DeliveryNumbers = {
  readonly calls: number
  readonly few: PagesNumbers
  readonly many: PagesNumbers
  /** Medians of the ratios within a round. */
  readonly heldRatio: number
  readonly decidedRatio: number
  readonly cpuRatio: number
}

type Block = {
  readonly held: readonly number[]
  readonly decided: readonly number[]
  readonly answered: readonly number[]
  readonly cpu: number
}
type Stand = {
  readonly client: Client
  readonly agent: BenchClient
  readonly followers: Followers
  readonly pid: number
}

const manyPages = 20
const perBlock = 25

/** Rounds of 25 calls with one page and 25 with twenty; by `apart`, therefore a text. */
export async function measureDelivery(rounds = "16"): Promise<DeliveryNumbers> {
  const folder = mkdtempSync(join(tmpdir(), "byleave-bench-"))
  const echo = await startEcho()
  const service = await startByleave({ folder, behind: { url: echo.url }, effect: "ask", withReviewer: true })
  const followers = startFollowers(service.url, folder)
  try {
    const client = await reviewerOf(folder, service.url)
    const agent = await openLean(service.endpoint, { kind: "lean", elicitation: false })
    const stand = { client, agent, followers, pid: service.child.pid }
    await measureBlock(stand, 1)
    await measureBlock(stand, manyPages)
    const few: Block[] = []
    const many: Block[] = []
    for (let round = 0; round < Number(rounds); round++) {
      few.push(await measureBlock(stand, 1))
      many.push(await measureBlock(stand, manyPages))
    }
    await agent.close()
    return numbersOf(few, many)
  } finally {
    followers.stop()
    await service.child.stop()
    echo.server.close().closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measureBlock(stand: Stand, pages: number): Promise<Block> {
  await stand.followers.follow(pages)
  const held: number[] = []
  const decided: number[] = []
  const answered: number[] = []
  const before = cpuMilliseconds([stand.pid])
  for (let call = 0; call < perBlock; call++) {
    const times = await measureCall(stand, `call ${call}`)
    held.push(...times.held)
    decided.push(...times.decided)
    answered.push(times.answered)
  }
  return { held, decided, answered, cpu: (cpuMilliseconds([stand.pid]) - before) / perBlock }
}

/** One after another, so that what is heard next is what was done last. */
async function measureCall({ client, agent, followers }: Stand, message: string) {
  const sent = sharedClock()
  const call = agent.echo(message)
  const pending = await followers.heard("approval.pending")
  const read = await client.getApproval({ params: { id: pending.subject } })
  if (!read.ok) throw new Error(read.problem.detail)
  const given = sharedClock()
  const body = await bindVerdict(read.value, { kind: "approve" })
  const answer = client.giveVerdict({ params: { id: pending.subject }, body }).then((reply) => {
    if (!reply.ok) throw new Error(reply.problem.detail)
    return sharedClock() - given
  })
  const [approved, answered] = await Promise.all([followers.heard("approval.approved"), answer])
  await call
  return { held: pending.at.map((at) => at - sent), decided: approved.at.map((at) => at - given), answered }
}

function numbersOf(few: readonly Block[], many: readonly Block[]): DeliveryNumbers {
  const ratio = (of: (block: Block) => number): number =>
    median(few.map((block, round) => of(many[round] ?? block) / of(block)))
  return {
    calls: few.length * perBlock,
    few: pagesNumbers(1, few),
    many: pagesNumbers(manyPages, many),
    heldRatio: ratio(({ held }) => median(held)),
    decidedRatio: ratio(({ decided }) => median(decided)),
    cpuRatio: ratio(({ cpu }) => cpu),
  }
}

function pagesNumbers(pages: number, blocks: readonly Block[]): PagesNumbers {
  const all = (of: (block: Block) => readonly number[]): Delivery => {
    const times = blocks.flatMap(of)
    return { p50: median(times), p95: quantile(times, 0.95), max: Math.max(...times) }
  }
  return {
    pages,
    held: all(({ held }) => held),
    decided: all(({ decided }) => decided),
    answered: all(({ answered }) => answered),
    cpuPerCall: median(blocks.map(({ cpu }) => cpu)),
  }
}

if (import.meta.main) console.log(JSON.stringify(await measureDelivery(process.argv[2]), null, 2))
