/** The tools that a leg's model is given, with the gate as their executor. */
import { dynamicTool, jsonSchema, type ToolSet } from "ai"
import type { OfferedTool } from "../tools.ts"
import { type OpenCall, objectOf } from "./open-calls.ts"
import type { RunCalls, RunCallsPorts } from "./run-calls.ts"

/** A tool that is gone stays where the run waits for its call: AI SDK cannot go on without it, and the gate tells what became of it. */
export function withStubs(tools: readonly OfferedTool[], open: readonly OpenCall[]): readonly OfferedTool[] {
  const known = new Set(tools.map(({ name }) => name))
  const stubs = open.flatMap(({ call: { toolName: name }, requirement: { tool } }) => {
    if (known.has(name)) return []
    known.add(name)
    return [{ ref: tool, name, inputSchema: { type: "object" } }]
  })
  return [...tools, ...stubs]
}

export function toolTable(tools: readonly OfferedTool[]): (name: string) => OfferedTool | undefined {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  return (name) => byName.get(name)
}

type NamedTool = Pick<OfferedTool, "name" | "description" | "inputSchema">

export function namedTools(tools: RunCallsPorts["ungated"]): readonly NamedTool[] {
  return [...tools].map(([name, tool]) => ({ ...tool, name }))
}

export function toolSet(
  tools: readonly NamedTool[],
  calls: RunCalls,
  guard: <T>(work: Promise<T>) => Promise<T>,
): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, inputSchema }) => [
      name,
      dynamicTool({
        ...(description === undefined ? {} : { description }),
        inputSchema: jsonSchema(inputSchema),
        execute: async (input, { toolCallId }) => {
          const { output } = await guard(calls.outcome({ toolCallId, toolName: name, input: objectOf(input) }))
          if (output.type === "error-text") throw new Error(output.value)
          return output
        },
        toModelOutput: ({ output }) => asOutput(output),
      }),
    ]),
  )
}

type ToModelOutput = NonNullable<ToolSet[string]["toModelOutput"]>

/** `execute` gives nothing else. */
function asOutput(output: unknown): Awaited<ReturnType<ToModelOutput>> {
  return output as Awaited<ReturnType<ToModelOutput>>
}
