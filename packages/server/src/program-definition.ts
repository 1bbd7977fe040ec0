import { programPin, type ToolDefinition } from "@byleave/core"

/** A program as the definition its pin keeps. */
export function programDefinition(program: string): ToolDefinition {
  return { name: programPin, title: "The program of this server", description: program, program }
}

/**
 * A program's tools, with the program itself as one more definition: pinned at first sight, and waiting to be accepted when it is another one
 * later. A server that lists nothing yet is not known by its program alone, and none can list a tool of that name.
 */
export function withProgram(tools: readonly ToolDefinition[], program: string | undefined): readonly ToolDefinition[] {
  const listed = tools.filter(({ name }) => name !== programPin)
  return program === undefined || listed.length === 0 ? listed : [programDefinition(program), ...listed]
}
