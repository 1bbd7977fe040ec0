import type { RunView } from "@byleave/api"
import type { LiveLeg } from "@byleave/ui"

/** `files, memory`; a run may also do without tools. */
export function serversInWords(servers: readonly string[]): string {
  return servers.length === 0 ? "no servers" : servers.join(", ")
}

const longestTitle = 72

/** For the page's heading, cut between words where it can be; the whole task is in the story. */
export function shortTitle(title: string): string {
  if (title.length <= longestTitle) return title
  const cut = title.slice(0, longestTitle)
  const end = cut.lastIndexOf(" ")
  return `${(end > 0 ? cut.slice(0, end) : cut).toWellFormed()}…`
}

/** A person by their name; a program by its token's. */
export function starterInWords({ kind, id }: RunView["startedBy"]): string {
  return kind === "reviewer" ? id : `program ${id}`
}

/** Steps and tokens with those of the leg under way, which the service adds when it has ended. */
export function withLive(run: RunView, live: LiveLeg | null): Pick<RunView, "steps" | "usage"> {
  if (run.status !== "running" || live === null || live.leg !== run.legs) return run
  const usages = [run.usage, ...live.steps.flatMap(({ usage }) => usage ?? [])]
  const sum = (of: keyof RunView["usage"]): number => usages.reduce((total, usage) => total + usage[of], 0)
  return {
    steps: run.steps + live.steps.length,
    usage: { input: sum("input"), output: sum("output"), total: sum("total") },
  }
}
