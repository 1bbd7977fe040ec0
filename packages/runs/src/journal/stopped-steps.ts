/** The steps of a leg that a person stopped, as messages: the next message comes after them, and nothing in them is played again. */
import type { LanguageModelV4ToolCall } from "@ai-sdk/provider"
import type { AssistantModelMessage, ModelMessage, ToolModelMessage, ToolResultPart } from "ai"
import type { ToldOutcome } from "../loop/outcome-words.ts"
import type { Answer } from "./journal.ts"

type StoppedLeg = {
  readonly answers: readonly Answer[]
  readonly begun: ReadonlySet<string>
  readonly outcomes: ReadonlyMap<string, ToldOutcome>
  /** The model's words in the step under way. */
  readonly text: string
}

export function stoppedSteps({ answers, begun, outcomes, text }: StoppedLeg): readonly ModelMessage[] {
  const steps = answers.flatMap(({ parts }): readonly ModelMessage[] => {
    const calls = parts.filter((part) => part.type === "tool-call")
    const words = parts.flatMap((part) => (part.type === "text-delta" ? [part.delta] : [])).join("")
    const said: AssistantModelMessage["content"] = [
      ...(words === "" ? [] : [{ type: "text" as const, text: words }]),
      ...calls.map(callPart),
    ]
    const own = calls.filter(({ providerExecuted }) => providerExecuted !== true)
    const results = own.map(({ toolCallId, toolName }) =>
      resultPart({ toolCallId, toolName }, outcomes.get(toolCallId), begun.has(toolCallId) ? mayHaveRun : didNotRun),
    )
    return [
      ...(said.length === 0 ? [] : [{ role: "assistant" as const, content: said }]),
      ...(results.length === 0 ? [] : [{ role: "tool" as const, content: results }]),
    ]
  })
  return text === "" ? steps : [...steps, { role: "assistant", content: text }]
}

/** The results of the calls that the leg went on from. One that has no outcome was denied: the model answered after it. */
export function resultsOfOpen(
  messages: readonly ModelMessage[],
  open: ReadonlyMap<string, string>,
  outcomes: ReadonlyMap<string, ToldOutcome>,
): ToolModelMessage {
  const made = messages.flatMap(({ role, content }) =>
    role === "assistant" && typeof content !== "string" ? content.filter((part) => part.type === "tool-call") : [],
  )
  const content = made
    .filter(({ toolCallId }) => open.has(toolCallId))
    .map(({ toolCallId, toolName }) =>
      resultPart({ toolCallId, toolName }, outcomes.get(toolCallId), { type: "execution-denied" }),
    )
  return { role: "tool", content }
}

const didNotRun = { type: "error-text", value: "This call did not run: the user stopped the reply first." } as const
const mayHaveRun = {
  type: "error-text",
  value: "It is not known whether this call ran: the user stopped the reply. Do not repeat it without asking the user.",
} as const

function callPart({ toolCallId, toolName, input, providerMetadata, providerExecuted }: LanguageModelV4ToolCall) {
  return {
    type: "tool-call" as const,
    toolCallId,
    toolName,
    input: readInput(input),
    ...(providerExecuted === undefined ? {} : { providerExecuted }),
    ...(providerMetadata === undefined ? {} : { providerOptions: providerMetadata }),
  }
}

function readInput(input: string): unknown {
  try {
    return JSON.parse(input.trim() || "{}")
  } catch {
    return {}
  }
}

function resultPart(
  call: Pick<ToolResultPart, "toolCallId" | "toolName">,
  outcome: ToldOutcome | undefined,
  without: ToolResultPart["output"],
): ToolResultPart {
  const output = outcome === undefined ? without : (outcome.output as ToolResultPart["output"])
  return { type: "tool-result", ...call, output }
}
