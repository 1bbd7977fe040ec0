import type { SessionView } from "@byleave/api"

/** What ending a session does to what it has now, a sentence each. */
export function endingWords({ waiting, grants, mode, refused }: SessionView): readonly string[] {
  return [
    waiting === 0
      ? null
      : `${counted(waiting, "call that waits is", "calls that wait are")} withdrawn; none of them runs.`,
    grants.length === 0
      ? null
      : `${counted(grants.length, "remembered answer is", "remembered answers are")} forgotten.`,
    mode === "ask" ? null : "Its mode ends: calls are asked about again.",
    refused.length === 0 ? null : `${counted(refused.length, "refused tool", "refused tools")} may be asked for again.`,
    "The agent itself is not stopped. If it calls again, it starts afresh, with nothing remembered.",
  ].filter((words) => words !== null)
}

function counted(count: number, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`
}
