import type { ApprovalView } from "@byleave/api"
import type { ReactNode } from "react"
import { Section } from "./section.tsx"

type Kind = Exclude<ApprovalView["kind"], "tool">

/** What a yes means where it is no tool that runs: no server says so, therefore we do. */
const meanings = {
  resource:
    "The agent wants to read what the server keeps under this address. What it reads becomes part of its conversation.",
  prompt:
    "The agent wants a text that the server has prepared. It becomes part of its conversation, as if somebody had typed it.",
  sampling:
    "While a tool runs, its server wants the agent's model to write something. The model is sent the messages below, and the server gets what it writes.",
  elicitation:
    "While a tool runs, its server wants to ask the person who uses the agent. They are shown the message below, and the server gets their answer.",
  roots:
    "The server wants to know in which folders the agent works. It is told their addresses, and nothing of what is in them.",
  method:
    "The agent wants to send the server a request that is not part of MCP. Your policy names its method, so it can be asked for; only the server knows what it does.",
} as const satisfies Record<Kind, string>

export function KindWords({ kind }: { readonly kind: Kind }): ReactNode {
  return (
    <Section title="What it is">
      <p>{meanings[kind]}</p>
    </Section>
  )
}
