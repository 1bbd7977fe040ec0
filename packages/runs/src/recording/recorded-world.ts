import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from "@ai-sdk/provider"
import {
  canonicalJson,
  isObject,
  type JsonObject,
  listAt,
  type Outcome,
  type RunOutcome,
  textAt,
  toolName,
} from "@byleave/core"
import type { NamedHostTools } from "../host-tools.ts"
import { streamOf } from "../loop/journaled-model.ts"
import { modelOutput } from "../loop/outcome-words.ts"
import type { OfferedTool, ToolSource } from "../tools.ts"
import { type RecordedRunCall, recordedCalls } from "./recorded-calls.ts"
import type { Recording } from "./recording.ts"

/** The model and the servers of a recorded run, as far as they were recorded. */
export type RecordedWorld = {
  readonly model: LanguageModelV4
  readonly tools: ToolSource
  readonly ungated: NamedHostTools
  /** How often the model has been asked. */
  readonly asked: () => number
  /** The recorded parts that have not been played, in words. */
  readonly left: () => readonly string[]
}

export type RecordedWorldPorts = {
  /** Told where the play leaves the recording; gives what to throw. */
  readonly differs: (difference: string) => Error
  /** The leg that is played, counted from 0. */
  readonly leg: () => number
}

export function recordedWorld(recording: Recording, { differs, leg }: RecordedWorldPorts): RecordedWorld {
  const calls = recordedCalls(recording)
  const answers = recordedAnswers(recording)
  let asked = 0
  const doStream: LanguageModelV4["doStream"] = async ({ prompt }) => {
    const answer = answers[asked]
    if (answer === undefined)
      throw differs(`The model is asked ${timesOf(asked + 1)}, and was asked ${timesOf(answers.length)}.`)
    if (answer.leg !== leg()) throw differs(`In leg ${leg() + 1}: ${unasked(recording, leg())}`)
    const difference = resultDifference(prompt, answer.outcomes)
    if (difference !== null) throw differs(`Before answer ${asked + 1}: ${difference}`)
    asked += 1
    return { stream: streamOf(answer.parts) }
  }
  const { play, left } = player(calls, differs)
  return {
    model: {
      specificationVersion: "v4",
      provider: "recording",
      modelId: "recording",
      // It takes every address as it is: nothing is loaded.
      supportedUrls: { "*": [/^/] },
      doStream,
      doGenerate: async () => {
        throw new TypeError("A recording is played as a stream.")
      },
    },
    tools: {
      list: async () => ({ tools: offeredIn(recording, calls), unreachable: [] }),
      call: async ({ tool }, args) =>
        play((call) => call.tool !== null && toolName(call.tool) === toolName(tool), toolName(tool), args),
    },
    ungated: Object.fromEntries(
      calls.flatMap(({ name, decision }) => (decision === "ungated" ? [[name, ungatedTool(name, play)] as const] : [])),
    ),
    asked: () => asked,
    left: () => [
      ...left().map(
        ({ tool, name, args }) =>
          `${tool === null ? name : toolName(tool)} does not run with ${canonicalJson(args)}, and did.`,
      ),
      ...(asked < answers.length
        ? [`The model is asked ${timesOf(asked)}, and was asked ${timesOf(answers.length)}.`]
        : []),
    ],
  }
}

function timesOf(count: number): string {
  return count === 1 ? "once" : `${count} times`
}

type Play = (isOf: (call: RecordedRunCall) => boolean, name: string, args: JsonObject) => RunOutcome

function player(
  calls: readonly RecordedRunCall[],
  differs: (difference: string) => Error,
): { readonly play: Play; readonly left: () => readonly RecordedRunCall[] } {
  const open = new Set(calls.filter(ran))
  const play: Play = (isOf, name, args) => {
    const wanted = canonicalJson(args)
    const found = [...open].find((call) => isOf(call) && canonicalJson(call.edited ?? call.args) === wanted)
    if (found === undefined)
      return { kind: "failed", error: differs(`${name} runs with ${wanted}, and did not.`).message }
    open.delete(found)
    return runOutcome(found.outcome)
  }
  return { play, left: () => [...open] }
}

function ungatedTool(name: string, play: Play): NamedHostTools[string] {
  return {
    inputSchema: { type: "object" },
    run: async (args) => {
      const outcome = play((call) => call.decision === "ungated" && call.name === name, name, args)
      if (outcome.kind === "succeeded") return outcome.result
      throw new Error(outcome.kind === "failed" ? String(outcome.error) : outcome.detail)
    },
  }
}

/** Also one that had begun when the recording ended. */
function ran({ decision, outcome }: RecordedRunCall): boolean {
  if (outcome === null) return decision === "allowed" || decision === "ungated"
  return outcome.kind === "result" || outcome.kind === "error" || outcome.kind === "unknown"
}

function runOutcome(outcome: Outcome | null): RunOutcome {
  if (outcome?.kind === "result") return { kind: "succeeded", result: outcome.result }
  if (outcome?.kind === "error") return { kind: "failed", error: outcome.error }
  return { kind: "unknown", detail: outcome?.kind === "unknown" ? outcome.detail : "The recording does not say." }
}

type RecordedModelAnswer = {
  readonly leg: number
  readonly parts: readonly LanguageModelV4StreamPart[]
  /** The outcomes that the model had been told by then. */
  readonly outcomes: ReadonlyMap<string, Outcome>
}

function recordedAnswers(recording: Recording): readonly RecordedModelAnswer[] {
  const outcomes = new Map(recordedCalls(recording).map(({ toolCall, outcome }) => [toolCall, outcome]))
  const told = new Map<string, Outcome>()
  const answers: RecordedModelAnswer[] = []
  for (const [leg, { events }] of recording.legs.entries()) {
    for (const { event } of events) {
      const toolCall = textAt(event, "tool_call") ?? ""
      const outcome = outcomes.get(toolCall)
      if (event.type === "call.ended" && outcome != null) told.set(toolCall, outcome)
      if (event.type !== "model.answered") continue
      // The recorder wrote down what a model had streamed.
      const parts = (listAt(event, "parts") ?? []) as unknown as readonly LanguageModelV4StreamPart[]
      answers.push({ leg, parts, outcomes: new Map(told) })
    }
  }
  return answers
}

/** The run goes on where it had paused. */
function unasked(recording: Recording, leg: number): string {
  const asked = new Set(
    recording.legs[leg]?.events.flatMap(({ event }) => (event.type === "call.asked" ? textAt(event, "tool_call") : [])),
  )
  const calls = recordedCalls(recording).filter(({ toolCall }) => asked.has(toolCall))
  const names = calls.map(({ tool, name, args }) => `${tool === null ? name : toolName(tool)} ${canonicalJson(args)}`)
  return `${names.join(" and ")} ${names.length === 1 ? "needs" : "need"} no approval, and did.`
}

function resultDifference(prompt: LanguageModelV4Prompt, outcomes: ReadonlyMap<string, Outcome>): string | null {
  const results = new Map(
    prompt.flatMap((message) =>
      message.role === "tool"
        ? message.content.flatMap((part) =>
            part.type === "tool-result" ? [[part.toolCallId, part.output] as const] : [],
          )
        : [],
    ),
  )
  for (const [toolCall, outcome] of outcomes) {
    const was = modelOutput(outcome)
    const is = results.get(toolCall)
    if (is === undefined) return `the call ${toolCall} has no result, and had one.`
    if (was.type === "content" || is.type === "content") continue
    const said = "value" in is ? is.value : (is.reason ?? "")
    if (said !== was.value)
      return `the result of ${toolCall} is ${JSON.stringify(said)}, and was ${JSON.stringify(was.value)}.`
  }
  return null
}

/** The tools that were offered; of those that were not written down, the ones that were called. */
function offeredIn({ legs }: Recording, calls: readonly RecordedRunCall[]): readonly OfferedTool[] {
  const offered = new Map<string, OfferedTool>()
  for (const { name, tool } of calls) {
    if (tool !== null) offered.set(name, { ref: tool, name, inputSchema: { type: "object" } })
  }
  for (const item of (listAt(legs[0]?.request, "tools") ?? []).filter(isObject)) {
    const { server, tool, name, description, input_schema: inputSchema } = item
    if (typeof server !== "string" || typeof tool !== "string" || typeof name !== "string") continue
    offered.set(name, {
      ref: { server, tool },
      name,
      inputSchema: isObject(inputSchema) ? inputSchema : { type: "object" },
      ...(typeof description === "string" ? { description } : {}),
    })
  }
  return [...offered.values()]
}
