import type { TokenView } from "@byleave/api"

export const tokenKindWords = {
  agent: {
    label: "Agent",
    words: "An MCP client: it may call tools through Byleave and nothing else.",
  },
  gate: {
    label: "Program",
    words:
      "A program that asks Byleave before it runs tools of its own. It may ask about its own calls and nothing else.",
  },
} as const satisfies Record<TokenView["kind"], { readonly label: string; readonly words: string }>
