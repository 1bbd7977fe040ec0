/**
 * Plays a recorded run again: the loop and the gate are real, the model and the servers are the recording.
 *
 * I1. Neither a model nor a server is needed, and nothing runs.
 * I2. What differs is told where it differs first; the play ends there.
 */
import { type AgentRun, type Gate, listAt, type Reviewer, textAt, toolName } from "@byleave/core"
import type { ModelMessage } from "ai"
import { createRuns } from "../create-runs.ts"
import type { RunOrder, Runs, Waiting } from "../runs.ts"
import { answersOf, recordedCalls } from "./recorded-calls.ts"
import { recordedWorld } from "./recorded-world.ts"
import type { RecordedLeg, Recording } from "./recording.ts"

export type ReplayPorts = {
  /** With the policy to play it by: the recording's own, or another one to see what would change. */
  readonly gate: Gate
  /** The reviewer who gives the recorded answers. */
  readonly reviewer: Reviewer
  readonly newId: () => string
  readonly now: () => number
}

export type ReplayReport = {
  /** Empty: everything came as it was recorded. */
  readonly differences: readonly string[]
  readonly legs: number
  /** Answers of the model that were played. */
  readonly steps: number
}

export async function replayRun(recording: Recording, ports: ReplayPorts): Promise<ReplayReport> {
  const differences: string[] = []
  const differs = (difference: string): Error => {
    differences.push(difference)
    return new Error(difference)
  }
  let legs = 0
  const world = recordedWorld(recording, { differs, leg: () => legs })
  const runs = createRuns({
    gate: ports.gate,
    tools: world.tools,
    ungated: world.ungated,
    openModel: async () => world.model,
    defaultModel: () => world.model.modelId,
    failureOf: (error) => ({ retryable: false, detail: error instanceof Error ? error.message : String(error) }),
    newId: ports.newId,
    now: ports.now,
    maxRetries: 0,
    onTrouble: (trouble) => void differs(String(trouble)),
  })
  try {
    const started = await runs.start(orderOf(recording), { kind: "reviewer", id: ports.reviewer.id })
    if (!started.ok) throw differs(`The run does not start: ${started.refusal.code}.`)
    for (const [at, leg] of recording.legs.entries()) {
      if (at > 0) differences.push(...(await giveAnswers(ports, runs, started.run.id, leg)))
      const run = await runs.settled(started.run.id)
      if (differences.length === 0) differences.push(...(await legDifferences(recording, at, run, runs)))
      if (differences.length > 0) break
      legs += 1
    }
    if (differences.length === 0) differences.push(...world.left())
  } catch (error) {
    if (differences.length === 0) throw error
  } finally {
    await runs.close()
  }
  return { differences, legs, steps: world.asked() }
}

function orderOf({ legs }: Recording): RunOrder {
  const request = legs[0]?.request ?? {}
  const instructions = textAt(request, "instructions")
  return {
    messages: messagesOf(request),
    servers: (listAt(request, "servers") ?? []).filter((server) => typeof server === "string"),
    ...(instructions === undefined ? {} : { instructions }),
  }
}

/** The recorder wrote down what a run had begun with; the run's own checks are made of them again. */
function messagesOf(request: RecordedLeg["request"]): readonly ModelMessage[] {
  return (listAt(request, "messages") ?? []) as unknown as readonly ModelMessage[]
}

async function giveAnswers(
  { gate, reviewer }: ReplayPorts,
  runs: Runs,
  id: string,
  { request }: RecordedLeg,
): Promise<readonly string[]> {
  const run = await runs.get(id)
  const waiting = run === undefined ? [] : await runs.waitsFor(run)
  for (const { toolCall, approve, reason, args } of answersOf(request)) {
    const held = waiting.find(({ requirement }) => requirement.toolCall === toolCall)?.approval
    if (held === undefined) return [`Nobody is asked about ${toolCall}, which was answered.`]
    const given = await gate.answer({
      approval: held.id,
      kind: approve ? "approve" : "deny",
      digest: held.runDigest,
      reviewer,
      ...(reason === undefined ? {} : { reason }),
      ...(args === undefined ? {} : { args }),
    })
    if (!given.ok) return [`The answer to ${toolName(held.tool)} is refused: ${given.refusal.code}.`]
  }
  // The last answer may have let it go on already.
  const went = await runs.go(id, { messages: messagesOf(request) }, reviewer.id)
  return went.ok || went.refusal.code !== "run-waits" ? [] : ["Somebody must answer what nobody was asked about."]
}

async function legDifferences(
  recording: Recording,
  at: number,
  run: AgentRun | undefined,
  runs: Runs,
): Promise<readonly string[]> {
  const leg = recording.legs[at]
  if (run === undefined || leg === undefined) return ["The run is gone."]
  const asked = askedDifferences(recording, leg, await runs.waitsFor(run)).map((text) => `In leg ${at + 1}: ${text}`)
  const last = textAt(leg.events.at(-1)?.event, "type")
  const status = last?.startsWith("agent-run.") === true ? last.slice("agent-run.".length) : null
  if (asked.length > 0 || status === null || status === run.status) return asked
  const why = run.status === "failed" ? `: ${run.detail}` : ""
  return [`In leg ${at + 1}: the run has ${run.status}${why}, and had ${status}.`]
}

function askedDifferences(
  recording: Recording,
  { events }: RecordedLeg,
  waiting: readonly Waiting[],
): readonly string[] {
  const calls = new Map(recordedCalls(recording).map((call) => [call.toolCall, call]))
  const was = events.flatMap(({ event }) => (event.type === "call.asked" ? (textAt(event, "tool_call") ?? []) : []))
  const is = waiting.map(({ requirement }) => requirement.toolCall)
  const named = (toolCall: string): string => {
    const call = calls.get(toolCall)
    const held = waiting.find(({ requirement }) => requirement.toolCall === toolCall)
    const tool = call?.tool ?? held?.approval.tool
    return `${tool === undefined || tool === null ? toolCall : toolName(tool)} ${JSON.stringify(call?.args ?? held?.approval.args ?? {})}`
  }
  return [
    ...was.filter((call) => !is.includes(call)).map((call) => `${named(call)} needs no approval, and did.`),
    ...is.filter((call) => !was.includes(call)).map((call) => `${named(call)} needs approval, and did not.`),
  ]
}
