import { programPin, type ToolDefinition } from "@byleave/core"

/** A program as the definition its pin keeps. */
export function programDefinition(program: string): ToolDefinition {
  return { name: programPin, title: "The program of this server", description: program, program }
}

/**
 * A program's tools, with the program itself as one more definition: pinned at first sight, and waiting to be accepted when it is another one
 * later. It comes first, so that tools are seen as its own; none can list a tool of that name.
 */
export function withProgram(tools: readonly ToolDefinition[], program: string | undefined): readonly ToolDefinition[] {
  const listed = tools.filter(({ name }) => name !== programPin)
  return program === undefined ? listed : [programDefinition(program), ...listed]
}
