import type { ApprovalView } from "@byleave/api"
import type { ReactNode } from "react"
import { Section } from "../section.tsx"

type Kind = Exclude<ApprovalView["kind"], "tool">

/** The meaning of a yes to something that is no tool. No server says it, so the card does. */
const meanings = {
  resource: "The agent wants to read the resource at this address. Its content becomes part of the conversation.",
  prompt:
    "The agent wants to use a prompt prepared by the server. It becomes part of the conversation, as if somebody had typed it.",
  sampling:
    "While running a tool, the server wants to use the agent's model. The messages below are sent to the model, and the server receives its reply.",
  elicitation:
    "While running a tool, the server wants to ask the agent's user a question. The user sees the message below, and the server receives the answer.",
  roots: "The server wants to know which folders the agent works in. It receives their paths, not their contents.",
  method:
    "The agent wants to send a request that is not part of MCP. Your policy lists this method, so it can be approved; only the server knows what it does.",
} as const satisfies Record<Kind, string>

export function KindWords({ kind }: { readonly kind: Kind }): ReactNode {
  return (
    <Section title="About">
      <p>{meanings[kind]}</p>
    </Section>
  )
}
