/**
 * A run as it goes on: its legs, one after the other, until it rests.
 *
 * I1. Every leg is told once and whole: live where this process carries it out, from the journal where another one did.
 * I2. A leg's requests for approval are told when it has ended, for only then can anybody answer them.
 * I3. An answer is told once, before anything that follows from it.
 * I4. Of a leg under way a few megabytes are kept for a follower that does not take them; then it is told nothing more. Whoever comes back
 *     is told the leg from its journal.
 */
import type { AgentRun } from "@byleave/core"
import type { UIMessageChunk } from "ai"
import { type RunNews, sizeOf } from "../live-parts.ts"
import type { Waiting } from "../runs.ts"
import type { FrontPorts } from "./front-ports.ts"
import { answerChunks, chunkOfPart, chunksOfMessages, isRequest, requestChunk } from "./leg-chunks.ts"
import { approvalsOfRun } from "./run-approvals.ts"
import { fromTurns } from "./run-turns.ts"

export type RunStep =
  /** `toolCall`: that an answer is about. */
  | { readonly kind: "chunk"; readonly leg: number; readonly chunk: UIMessageChunk; readonly toolCall?: string }
  | { readonly kind: "retry"; readonly attempt: number }
  /** The run waits for people, and its followers wait along. */
  | { readonly kind: "waits"; readonly for: readonly Waiting[] }
  /** The last one. */
  | { readonly kind: "rests"; readonly run: AgentRun | undefined; readonly waiting: readonly Waiting[] }

export type FollowOptions = {
  /** Legs up to this one are not told. */
  readonly after: number
  /** Goes on through pauses until the run is over. */
  readonly wait?: boolean
  readonly signal?: AbortSignal | undefined
}

export async function* followRun(ports: FrontPorts, id: string, options: FollowOptions): AsyncGenerator<RunStep> {
  const changes = watchChanges(ports, id, options.signal)
  const told = new Set<string>()
  let leg = options.after
  try {
    for (;;) {
      const seen = changes.count()
      const run = await ports.runs.get(id)
      if (changes.isStopped()) return
      if (run !== undefined && run.legs > leg) {
        leg += 1
        yield* followLeg(ports, id, { leg, changes, told })
        continue
      }
      if (run?.status === "paused") changes.attendTo(run.requirements.map(({ approval }) => approval))
      const waiting = run?.status === "paused" ? await ports.runs.waitsFor(run) : []
      if (run?.status === "running") await changes.after(seen)
      else if (run?.status === "paused" && waiting.length === 0) {
        const taken = await ports.runs.go(id, {}, null)
        if (!taken.ok) await changes.after(seen)
      } else if (run?.status === "paused" && options.wait === true) {
        yield* answersSoFar(ports, run, leg, told)
        yield { kind: "waits", for: waiting }
        await changes.after(seen)
      } else {
        if (run?.status === "paused") yield* answersSoFar(ports, run, leg, told)
        yield { kind: "rests", run, waiting }
        return
      }
    }
  } finally {
    changes.stop()
  }
}

type LegOptions = { readonly leg: number; readonly changes: Changes; readonly told: Set<string> }

async function* followLeg(ports: FrontPorts, id: string, { leg, changes, told }: LegOptions): AsyncGenerator<RunStep> {
  const begun = await ports.runs.get(id)
  if (begun?.status === "running" && begun.legs === leg) yield* answersSoFar(ports, begun, leg, told)
  const requests: string[] = []
  let isLive = false
  for (;;) {
    const seen = changes.count()
    const news = changes.take(leg)
    if (news?.type === "leg-ended") break
    if (news?.type === "retry") yield { kind: "retry", attempt: news.attempt }
    else if (news?.type === "part") {
      isLive = true
      if (isRequest(news.part)) requests.push(news.part.toolCall.toolCallId)
      const chunk = chunkOfPart(news.part)
      if (chunk !== null) yield { kind: "chunk", leg, chunk }
    } else {
      const run = isLive ? undefined : await ports.runs.get(id)
      const isOver = !isLive && (run?.status !== "running" || run.legs > leg)
      // News heard while the store was asked comes first.
      if ((isOver && changes.count() === seen) || changes.isStopped()) break
      await changes.after(seen)
    }
  }
  if (changes.isStopped()) return
  if (!isLive) yield* pastLeg(ports, id, leg, told)
  else if (requests.length > 0) {
    const run = await ports.runs.get(id)
    const approvals = run === undefined ? new Map() : await approvalsOfRun(ports, run)
    for (const toolCall of requests) {
      const chunk = requestChunk(toolCall, approvals)
      if (chunk !== null) yield { kind: "chunk", leg, chunk }
    }
  }
}

/** A leg that nobody here has heard. */
async function* pastLeg(ports: FrontPorts, id: string, leg: number, told: Set<string>): AsyncGenerator<RunStep> {
  const run = await ports.runs.get(id)
  if (run === undefined) return
  const { requests, messages } = await fromTurns(ports, id, (turns) => {
    const legs = turns.flatMap((turn) => turn.legs)
    // The work of a failed leg is told by the leg that continued it.
    const past = legs.find((each) => each.leg === leg && (each.ended || leg === run.legs))
    const before = legs.findLast((each) => each.leg < leg && each.ended)
    return { requests: requestsIn(before?.messages ?? []), messages: past?.messages ?? [] }
  })
  const approvals = await approvalsOfRun(ports, run)
  for (const answer of answerChunks(requests, approvals, told)) yield { kind: "chunk", leg, ...answer }
  for (const chunk of chunksOfMessages(messages, approvals)) yield { kind: "chunk", leg, chunk }
}

async function* answersSoFar(
  ports: FrontPorts,
  run: AgentRun,
  leg: number,
  told: Set<string>,
): AsyncGenerator<RunStep> {
  const about = run.status === "paused" ? run.requirements : run.status === "running" ? run.answered : []
  if (about.length === 0) return
  const calls = about.map(({ toolCall }) => toolCall)
  const answers = answerChunks(calls, await approvalsOfRun(ports, run), told)
  for (const answer of answers) yield { kind: "chunk", leg, ...answer }
}

/** The calls that a leg's messages ask people about. */
export function requestsIn(messages: Parameters<typeof chunksOfMessages>[0]): readonly string[] {
  return messages.flatMap(({ role, content }) => {
    if (role !== "assistant" || typeof content === "string") return []
    return content.flatMap((part) =>
      part.type === "tool-approval-request" && part.isAutomatic !== true ? [part.toolCallId] : [],
    )
  })
}

type Changes = {
  /** How many things have happened. */
  readonly count: () => number
  /** Resolves once more than these have happened. */
  readonly after: (count: number) => Promise<void>
  /** Counts what becomes of these approvals from now on. */
  readonly attendTo: (approvals: Iterable<string | null>) => void
  /** The next news of the leg; older ones are dropped. */
  readonly take: (leg: number) => RunNews | undefined
  readonly isStopped: () => boolean
  readonly stop: () => void
}

const mostUnread = 4 * 1024 * 1024

function watchChanges({ runs, gate }: FrontPorts, id: string, signal: AbortSignal | undefined): Changes {
  let happened = 0
  let next = Promise.withResolvers<void>()
  // Taken from its end: taking from the beginning of a long list moves all the rest.
  let heard: RunNews[] = []
  let coming: RunNews[] = []
  const first = (): RunNews | undefined => {
    if (coming.length === 0) {
      coming = heard.reverse()
      heard = []
    }
    return coming.at(-1)
  }
  let attended = new Set<string | null>()
  const notice = (): void => {
    happened += 1
    next.resolve()
    next = Promise.withResolvers()
  }
  let unread = 0
  const isBehind = (): boolean => unread > mostUnread
  const unwatch = runs.watch(id, (news) => {
    if (isBehind()) return
    heard.push(news)
    unread += sizeOf(news)
    if (isBehind()) [heard, coming] = [[], []]
    notice()
  })
  const unsubscribe = gate.events(({ subject }) => {
    if (subject === id || attended.has(subject)) notice()
  })
  signal?.addEventListener("abort", notice)
  return {
    count: () => happened,
    after: (count) => (happened > count || signal?.aborted === true ? Promise.resolve() : next.promise),
    attendTo: (approvals) => {
      attended = new Set(approvals)
    },
    take: (leg) => {
      for (let news = first(); news !== undefined && news.leg <= leg; news = first()) {
        coming.pop()
        unread -= sizeOf(news)
        if (news.leg === leg) return news
      }
      return undefined
    },
    isStopped: () => signal?.aborted === true || isBehind(),
    stop: () => {
      unwatch()
      unsubscribe()
      signal?.removeEventListener("abort", notice)
    },
  }
}
