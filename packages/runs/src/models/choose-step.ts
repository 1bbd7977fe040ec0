/**
 * Tells from the messages alone which step of a script comes next, so that a run goes on in another process.
 *
 * I1. The same script and messages give the same step.
 * I2. A step plays once in a thread: the first one left whose condition holds, in the order of the script.
 * I3. Each message is read once, however long the thread is.
 */
import type { LanguageModelV4Prompt } from "@ai-sdk/provider"
import type { ScriptedStep } from "@byleave/core"
import { wordsOfMessage } from "./prompt-words.ts"

/** `fails` says whether a step that only fails is still to be played: it leaves no message behind. */
export function chooseStep(
  steps: readonly ScriptedStep[],
  prompt: LanguageModelV4Prompt,
  fails: (at: number) => boolean,
): number | null {
  const conditions = steps.map(({ when }) => when?.toLowerCase())
  const played = new Set<number>()
  /** Steps whose condition holds: by the last user message or the tool results that followed it. */
  const holds = new Set<number>()
  const hear = (words: string): void => {
    for (const [step, when] of conditions.entries()) if (when !== undefined && words.includes(when)) holds.add(step)
  }
  const next = (isLeft: (at: number) => boolean): number | null => {
    const at = conditions.findIndex((when, step) => isLeft(step) && (when === undefined || holds.has(step)))
    return at === -1 ? null : at
  }
  for (const message of prompt) {
    if (message.role === "user") holds.clear()
    if (message.role === "user" || message.role === "tool") hear(wordsOfMessage(message).toLowerCase())
    if (message.role !== "assistant") continue
    const before = next((step) => !played.has(step) && steps[step]?.fail === undefined)
    if (before !== null) played.add(before)
  }
  return next((step) => !played.has(step) && (steps[step]?.fail === undefined || fails(step)))
}
