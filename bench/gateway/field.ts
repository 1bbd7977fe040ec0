/**
 * Everything that could stand between a client and a server, side by side. All of it runs at once, and in each round every
 * target gets a short block of calls, so that whatever else the machine does meets all of them alike; what is compared is
 * compared within a round.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import type { ClientKind } from "./clients/bench-client.ts"
import { type BlockNumbers, type Driver, startDriver } from "./driver.ts"
import { problemOf } from "./problem.ts"
import { cpuMilliseconds, residentBytes, treeOf } from "./proc.ts"
import {
  besideEarlier,
  directName,
  forElicitation,
  httpToHttp,
  httpToStdio,
  type Running,
  selfCheckName,
  type Target,
} from "./targets.ts"
import { everythingOnStdio, startEverything } from "./upstream.ts"

export type FieldName = "http" | "stdio" | "elicitation" | "earlier"

/** One block, and what the process between has used for it. */
export type BlockCost = BlockNumbers & {
  readonly cpuPerCall: number
  readonly treeCpuPerCall: number
}

export type TargetNumbers = {
  readonly name: string
  /** Why it could not be measured. */
  readonly problem: string | null
  readonly one: readonly BlockCost[]
  readonly sixteen: readonly BlockCost[]
  readonly residentBytes: number
  readonly treeResidentBytes: number
}

type Pace = { readonly rounds: number; readonly milliseconds: number; readonly warmUp: number }
type Lane = { readonly name: string; readonly pids: readonly number[]; problem: string | null } & Samples
type Samples = { readonly one: BlockCost[]; readonly sixteen: BlockCost[]; resident: number; treeResident: number }

const targetsOf = {
  http: httpToHttp,
  stdio: httpToStdio,
  elicitation: forElicitation,
  earlier: besideEarlier,
} as const satisfies Record<FieldName, readonly Target[]>

const manyClients = 16
// Of a process that runs for days, the first seconds say little: node compiles what runs often, and the more code there is the longer that takes.
const unhurried: Pace = { rounds: 9, milliseconds: 500, warmUp: 15_000 }
// Two that differ little need more rounds than those that differ much, and short ones: what else the machine does then spoils fewer of them.
const fine: Pace = { rounds: 100, milliseconds: 200, warmUp: 15_000 }
const quick: Pace = { rounds: 3, milliseconds: 200, warmUp: 400 }

/** In a process of its own, by `apart`; its arguments are therefore texts. `only` names targets to keep, for work on one of them. */
export async function measureField(
  field: FieldName,
  kind: ClientKind,
  speed: "quick" | "full",
  only = "",
): Promise<readonly TargetNumbers[]> {
  const folder = mkdtempSync(join(tmpdir(), "byleave-bench-"))
  const everything = await startEverything()
  const driver = startDriver()
  const stops: Array<() => Promise<void>> = [driver.stop, everything.child.stop]
  try {
    const lanes: Lane[] = []
    for (const target of targetsOf[field].filter(({ name }) => isWanted(name, only))) {
      const lane = await open(target, { field, kind, folder, url: everything.url, driver, stops, speed })
      lanes.push({ ...lane, name: target.name, one: [], sixteen: [], resident: 0, treeResident: 0 })
    }
    await runRounds(lanes, driver, everything.child.pid, paceOf(field, speed))
    return lanes.map(numbersOf)
  } finally {
    await Promise.all(stops.map((stop) => stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}

function paceOf(field: FieldName, speed: "quick" | "full"): Pace {
  if (speed === "quick") return quick
  return field === "earlier" ? fine : unhurried
}

function isWanted(name: string, only: string): boolean {
  return only === "" || only.split(",").some((part) => name.includes(part)) || name === directName
}

type Opening = {
  readonly field: FieldName
  readonly kind: ClientKind
  readonly folder: string
  readonly url: string
  readonly driver: Driver
  readonly stops: Array<() => Promise<void>>
  readonly speed: "quick" | "full"
}

/** A target that cannot be started or does not answer is reported as that, and the others go on. */
async function open(target: Target, opening: Opening): Promise<{ pids: readonly number[]; problem: string | null }> {
  const { driver, field, kind } = opening
  try {
    const running = await startTarget(target, opening)
    const started = await driver.connect({
      target: target.name,
      endpoint: running.endpoint,
      clients: manyClients,
      kind,
      elicitation: field === "elicitation",
    })
    return { pids: running.pid === null ? started : [running.pid], problem: null }
  } catch (cause) {
    return { pids: [], problem: problemOf(cause) }
  }
}

async function startTarget(target: Target, { field, folder, url, stops, speed }: Opening): Promise<Running> {
  if (target.name === directName || target.name === selfCheckName) {
    return { endpoint: { transport: "http", url }, pid: null, stop: async () => {} }
  }
  const behind = field === "stdio" ? everythingOnStdio : { url }
  const running = await target.start({ folder, behind, install: speed === "full" })
  stops.unshift(running.stop)
  return running
}

async function runRounds(lanes: readonly Lane[], driver: Driver, upstream: number, pace: Pace): Promise<void> {
  for (const lane of lanes) await block(lane, driver, upstream, manyClients, pace.warmUp)
  // Calls one after another take other ways through the code, which are compiled only then.
  for (const lane of lanes) await block(lane, driver, upstream, 1, pace.warmUp / 3)
  for (let round = 0; round < pace.rounds; round++) {
    for (const lane of rotated(lanes, round)) {
      const alone = await block(lane, driver, upstream, 1, pace.milliseconds)
      const together = await block(lane, driver, upstream, manyClients, pace.milliseconds)
      if (alone === null || together === null) continue
      lane.one.push(alone)
      lane.sixteen.push(together)
      lane.resident = Math.max(lane.resident, residentBytes(lane.pids))
      lane.treeResident = Math.max(lane.treeResident, residentBytes(lane.pids.flatMap(treeOf)))
    }
  }
}

/** Each round begins with another target: none is always the one after the slowest. */
function rotated<T>(all: readonly T[], by: number): readonly T[] {
  const at = by % Math.max(1, all.length)
  return [...all.slice(at), ...all.slice(0, at)]
}

async function block(
  lane: Lane,
  driver: Driver,
  upstream: number,
  clients: number,
  milliseconds: number,
): Promise<BlockCost | null> {
  if (lane.problem !== null) return null
  // Of a direct block the server itself is the cost.
  const pids = lane.pids.length === 0 ? [upstream] : lane.pids
  const tree = pids.flatMap(treeOf)
  const before = { own: cpuMilliseconds(pids), tree: cpuMilliseconds(tree) }
  try {
    const numbers = await driver.block({ target: lane.name, clients, milliseconds })
    // Work that a target puts off until after its answer is a cost of the call, too.
    await pause(30)
    const own = cpuMilliseconds(pids) - before.own
    const whole = cpuMilliseconds(tree) - before.tree
    return { ...numbers, cpuPerCall: own / numbers.calls, treeCpuPerCall: whole / numbers.calls }
  } catch (cause) {
    lane.problem = problemOf(cause)
    return null
  }
}

function numbersOf({ name, problem, one, sixteen, resident, treeResident }: Lane): TargetNumbers {
  return { name, problem, one, sixteen, residentBytes: resident, treeResidentBytes: treeResident }
}
