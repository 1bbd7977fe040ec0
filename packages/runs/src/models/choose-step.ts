/**
 * Tells from the messages alone which step of a script comes next, so that a run goes on in another process.
 *
 * I1. The same script and messages give the same step.
 * I2. A step plays once in a thread: the first one left whose condition holds, in the order of the script.
 */
import type { LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider"
import type { ScriptedStep } from "@byleave/core"
import { wordsOfMessage } from "./prompt-words.ts"

/** `fails` says whether a step that only fails is still to be played: it leaves no message behind. */
export function chooseStep(
  steps: readonly ScriptedStep[],
  prompt: LanguageModelV4Prompt,
  fails: (at: number) => boolean,
): number | null {
  const played = new Set<number>()
  for (const [at, message] of prompt.entries()) {
    if (message.role !== "assistant") continue
    const before = nextOf(steps, prompt.slice(0, at), (step) => !played.has(step) && steps[step]?.fail === undefined)
    if (before !== null) played.add(before)
  }
  return nextOf(steps, prompt, (step) => !played.has(step) && (steps[step]?.fail === undefined || fails(step)))
}

function nextOf(
  steps: readonly ScriptedStep[],
  prompt: LanguageModelV4Prompt,
  isLeft: (at: number) => boolean,
): number | null {
  const heard = heardSince(prompt)
  const at = steps.findIndex(
    ({ when }, step) =>
      isLeft(step) && (when === undefined || heard.some((words) => words.includes(when.toLowerCase()))),
  )
  return at === -1 ? null : at
}

/** The last user message and the tool results that followed it. */
function heardSince(prompt: readonly LanguageModelV4Message[]): readonly string[] {
  const from = Math.max(
    prompt.findLastIndex(({ role }) => role === "user"),
    0,
  )
  return prompt
    .slice(from)
    .filter(({ role }) => role === "user" || role === "tool")
    .map((message) => wordsOfMessage(message).toLowerCase())
}
