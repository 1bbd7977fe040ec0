/** How fast recorded calls are judged again, and how long suggestions take over many answers. */

import { setImmediate } from "node:timers/promises"
import { allSteps } from "../../packages/core/src/call/steps.ts"
import type { AnsweredCall, RecordedCall } from "../../packages/core/src/policy/compare/index.ts"
import { replayCalls, suggestRules } from "../../packages/core/src/policy/compare/index.ts"
import { compilePolicy } from "../../packages/core/src/policy/decide/compile-policy.ts"
import { emptyPolicy, type Policy, type Rule } from "../../packages/core/src/policy/rules/rule.ts"
import { habit, type Moment } from "./agent.ts"
import { seeded } from "./random.ts"
import { factsOf, type MadeCall, workspace } from "./tools.ts"

export type LearnNumbers = {
  readonly replayPerSecond: number
  readonly suggestSeconds: number
  readonly suggestMegabytes: number
  /** Time per call of many calls against that of a quarter of them. */
  readonly ratio: number
}

const many = 100_000
const servers: Policy["servers"] = [{ id: "files", trust: "annotations", pin: "full", folders: [workspace] }]

export async function measureLearning(): Promise<LearnNumbers> {
  const calls = madeCalls(many)
  const few = await timed(() => suggest(calls.slice(0, many / 4).map(answered)))
  const input = calls.map(answered)
  const before = process.memoryUsage().rss
  const all = await timed(() => suggest(input))
  const suggestMegabytes = Math.max(0, process.memoryUsage().rss - before) / 1_000_000
  const replay = await timed(() => replayAll(calls.map(recorded)))
  return {
    replayPerSecond: many / replay,
    suggestSeconds: all,
    suggestMegabytes,
    ratio: all / 4 / few,
  }
}

async function timed(work: () => unknown): Promise<number> {
  const start = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1_000_000
}

/** Twenty agents in forty folders, for months. */
function madeCalls(count: number): readonly MadeCall[] {
  const places = Array.from(
    { length: 40 },
    (_, at) => [`part-${at % 8}/folder-${at}`, at % 3 === 0 ? "ts" : "md"] as const,
  )
  const moment: Moment = { random: seeded(7), day: 1, known: new Map() }
  const habits = [
    habit.read(places),
    habit.write(places),
    habit.edit(places),
    habit.recall(),
    habit.add(),
    habit.keep(["task", "note"]),
  ]
  return Array.from({ length: count }, () => moment.random.pick(habits)(moment))
}

function answered({ server, tool, args }: MadeCall, at: number): AnsweredCall {
  const answer = at % 50 === 0 ? "deny" : "approve"
  const who = { principal: `agent-${at % 20}`, session: `session-${Math.floor(at / 200)}` }
  return {
    id: `a${at}`,
    at: at * 60_000,
    tool: { server, tool },
    ...who,
    args,
    answer,
    remember: "allowed",
    alone: true,
  }
}

function suggest(calls: readonly AnsweredCall[]): void {
  const policy = { ...emptyPolicy, servers }
  const now = calls.length * 60_000
  allSteps(suggestRules({ answered: calls, policy, grants: [], factsOf: ({ tool }) => factsOf(tool), now }))
}

function recorded({ server, tool, args }: MadeCall, at: number): RecordedCall {
  return {
    id: `a${at}`,
    at: at * 60_000,
    target: { server, kind: "tool", name: tool },
    args,
    isMasked: false,
    principal: `agent-${at % 20}`,
    session: "s",
    mode: "ask",
    effect: "ask",
    because: "default",
    grant: null,
    policy: "before",
    fingerprint: "f",
    refusedOtherwise: false,
  }
}

async function replayAll(calls: readonly RecordedCall[]): Promise<void> {
  const rules = Array.from({ length: 200 }, (_, at): Rule => {
    const target = {
      server: "files",
      kind: "tool",
      name: at % 2 === 0 ? "read_text_file" : "write_file",
      whole: false,
    } as const
    const when = [{ key: "path", op: "under", folder: `${workspace}/part-${at % 8}/folder-${at % 40}` } as const]
    return { id: `rules[${at}]`, effect: at % 3 === 0 ? "deny" : "allow", target, when, origin: { where: "bench" } }
  })
  const side = (version: string, some: readonly Rule[]) => ({
    policy: compilePolicy({ ...emptyPolicy, version, servers, rules: some }),
    factsOf: ({ name }: { readonly name: string }) => factsOf(name),
  })
  const turns = { now: () => performance.now(), nextTurn: () => setImmediate() }
  await replayCalls({ calls, before: side("before", []), after: side("after", rules), grants: [], turns })
}
