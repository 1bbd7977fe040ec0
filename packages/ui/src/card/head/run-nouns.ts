import type { ApprovalView } from "@byleave/api"

type RunNouns = { readonly noun: "run" | "thread"; readonly aRun: string; readonly path: "runs" | "chat" }

const ofRun: RunNouns = { noun: "run", aRun: "an agent run", path: "runs" }
const ofThread: RunNouns = { noun: "thread", aRun: "a chat thread", path: "chat" }

/** The noun for the agent run of a call: runs of the chat page are threads. */
export function runNouns({ principal }: Pick<ApprovalView, "principal">): RunNouns {
  return principal.id === "chat" ? ofThread : ofRun
}
