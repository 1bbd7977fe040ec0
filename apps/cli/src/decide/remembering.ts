import type { ApprovalView, UnboundVerdict } from "@byleave/api"
import { parseDuration } from "@byleave/formats"
import { RefusedByService } from "./reviewer-client.ts"

export type RememberFlags = {
  readonly session?: true
  readonly always?: true
  readonly server?: true
  readonly for?: string
  readonly uses?: string
}

type Remember = NonNullable<UnboundVerdict["remember"]>

/** The remembering that the flags ask for; undefined: none, the answer is for once. */
export function rememberOf(flags: RememberFlags, { tool }: ApprovalView, now: number): Remember | undefined {
  if (flags.session && flags.always) throw new RefusedByService(2, "Use either --session or --always, not both.")
  const until = flags.for === undefined ? undefined : now + durationOf(flags.for)
  const uses = flags.uses === undefined ? undefined : countFrom(flags.uses)
  const isRemembered = flags.session || flags.always || until !== undefined || uses !== undefined
  if (!isRemembered) {
    if (flags.server)
      throw new RefusedByService(2, "--server needs a duration: add --session, --always, --for or --uses.")
    return undefined
  }
  return {
    scope: flags.always ? "always" : "session",
    breadth: flags.server
      ? { kind: "server", server: tool.server, access: "all" }
      : { kind: "tool", server: tool.server, tool: tool.tool },
    ...(until === undefined ? {} : { until }),
    ...(uses === undefined ? {} : { uses }),
  }
}

export function durationOf(text: string): number {
  const ms = parseDuration(text)
  if (ms === null || ms === undefined || ms <= 0)
    throw new RefusedByService(2, `"${text}" is not a duration. Use 30m, 8h or 2d.`)
  return ms
}

function countFrom(text: string): number {
  const count = Number(text)
  if (!Number.isSafeInteger(count) || count < 1)
    throw new RefusedByService(2, `"${text}" is not a number of uses. Use a number such as 5.`)
  return count
}
