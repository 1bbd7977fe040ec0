import type { TokenView } from "@byleave/api"

export const tokenKindWords = {
  agent: {
    label: "Agent",
    words: "An MCP client: it can only call tools through Byleave.",
  },
  gate: {
    label: "Program",
    words: "A program that asks Byleave before it runs its own tools. It can only submit its own calls.",
  },
  runner: {
    label: "Agent runner",
    words: "A program that starts agent runs here. It can see, continue and cancel only its own runs.",
  },
} as const satisfies Record<TokenView["kind"], { readonly label: string; readonly words: string }>
