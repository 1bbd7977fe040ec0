import { ApiError } from "@byleave/api"
import type { Command } from "commander"
import { reportFailure } from "../failure.ts"
import { dataOption } from "../files/data-folder.ts"
import type { ExitCode, Io } from "../io.ts"
import { openReviewerClient } from "./open-reviewer-client.ts"
import { RefusedByService, type ReviewerClient } from "./reviewer-client.ts"

export type ReviewerFlags = { readonly data?: string; readonly url?: string; readonly json?: true }

/** Adds what every command that speaks with the service takes. */
export function withReviewerOptions(command: Command): Command {
  return command
    .addOption(dataOption())
    .option("--url <address>", "service address (default: the one of the data folder)")
    .option("--json", "print JSON")
}

/** Finds the service, does the work, and turns a refusal into a sentence and an exit code. */
export async function asReviewer(
  io: Io,
  flags: ReviewerFlags,
  work: (desk: ReviewerClient) => Promise<ExitCode>,
): Promise<ExitCode> {
  try {
    return await work(await openReviewerClient(io, flags))
  } catch (cause) {
    if (cause instanceof ApiError) {
      reportFailure({ error: cause.message }, flags.json === true, io)
      return cause.code === "unreachable" ? 3 : 1
    }
    if (!(cause instanceof RefusedByService)) throw cause
    const code = cause.code === 2 ? ({ code: "wrong-use" } as const) : {}
    reportFailure({ error: cause.message, ...code }, flags.json === true, io)
    return cause.code
  }
}
