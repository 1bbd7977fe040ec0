import type { ApprovalView, ServerView } from "@byleave/api"
import { type Breadth, shownName } from "@byleave/core"
import { readsOf } from "./known-access.ts"
import { pathScopes } from "./path-scopes.ts"

/** How far an answer can reach, from narrow to wide; `custom` is written by hand. */
export type BreadthName = "file" | "folder" | "tool" | "reads" | "server" | "custom"

export type BreadthChoice = {
  readonly name: BreadthName
  readonly label: string
  /** The effect of choosing it. */
  readonly words: string
  /** Null: it is still to be written. */
  readonly breadth: Breadth | null
}

type Effect = "allow" | "deny"

/** The breadths that cover this call; one that would not is not offered, since it could not be remembered with it. */
export function breadthChoices(
  approval: ApprovalView,
  server: ServerView | null,
  effect: Effect,
): readonly BreadthChoice[] {
  if (approval.kind !== "tool") return effect === "deny" ? [wholeServer(approval, effect)] : []
  const reads = effect === "allow" && server !== null ? readsOf(server) : []
  return [
    ...pathScopes(approval, server, effect).map(({ words, differs, ...one }) => ({
      ...one,
      words: `${words}. ${differs}`,
    })),
    thisTool(approval),
    ...(reads.includes(approval.tool.tool) ? [theseReads(approval, reads)] : []),
    wholeServer(approval, effect),
    custom,
  ]
}

function thisTool({ tool }: ApprovalView): BreadthChoice {
  return {
    name: "tool",
    label: "This tool",
    words: `${shownName(tool.tool, Number.POSITIVE_INFINITY)}, with any arguments`,
    breadth: { kind: "tool", server: tool.server, tool: tool.tool },
  }
}

function theseReads({ tool }: ApprovalView, reads: readonly string[]): BreadthChoice {
  const count = reads.length === 1 ? "the one tool" : `the ${reads.length} tools`
  return {
    name: "reads",
    label: "Read-only tools",
    words: `${count} of ${shownName(tool.server)} that are read-only, as listed now; not tools added later`,
    breadth: { kind: "reads", server: tool.server, tools: reads },
  }
}

function wholeServer({ tool, kind }: ApprovalView, effect: Effect): BreadthChoice {
  const beyond =
    effect === "allow" ? "including those that modify or delete data" : "including everything else it offers"
  return {
    name: "server",
    label: kind === "tool" ? "This server" : "Everything on this server",
    words: `every tool of ${shownName(tool.server)}, ${beyond}`,
    breadth: { kind: "server", server: tool.server, access: "all" },
  }
}

const custom: BreadthChoice = {
  name: "custom",
  label: "Specific calls",
  words: "a pattern of tool names, or only certain arguments",
  breadth: null,
}
