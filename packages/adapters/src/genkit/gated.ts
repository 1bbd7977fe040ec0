import type { AdapterOptions } from "../call/adapter-options.ts"
import { submitCall } from "../call/submit-call.ts"
import { toolValue } from "../call/tool-value.ts"

/** The same function for `ai.defineTool(config, fn)`, asking the gate before it runs. `tool`: the name policy knows it by. */
export function gated<Input, Context, Output>(
  tool: string,
  fn: (input: Input, context: Context) => Promise<Output> | Output,
  options: AdapterOptions,
): (input: Input, context: Context) => Promise<Output> {
  return async (input, context) => {
    const answer = await submitCall(options, { tool, input, signal: signalOf(context) }, (given) =>
      fn(given as Input, context),
    )
    // Genkit ends the whole generation when a tool throws, so a model is told of a refusal by a result.
    const isOurs = answer.kind === "refused" || answer.kind === "unknown"
    return (isOurs ? { error: answer.text } : toolValue(answer)) as Output
  }
}

function signalOf(context: unknown): AbortSignal | undefined {
  const given = typeof context === "object" && context !== null && "abortSignal" in context ? context.abortSignal : null
  return given instanceof AbortSignal ? given : undefined
}
