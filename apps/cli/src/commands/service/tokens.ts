import type { TokenView } from "@byleave/api"
import { showText } from "@byleave/core"
import type { Command } from "commander"
import { RefusedByService } from "../../decide/reviewer-client.ts"
import { asReviewer, type ReviewerFlags, withReviewerOptions } from "../../decide/reviewer-command.ts"
import { table } from "../../decide/table.ts"
import { ago } from "../../decide/time-words.ts"
import { answerOf } from "../../decide/waiting-calls.ts"
import type { Done, Io } from "../../io.ts"
import { asIs, jsonLines } from "../../terminal/paint.ts"

type AddFlags = ReviewerFlags & {
  readonly gate?: true
  readonly runner?: true
  readonly conveysDecisions?: true
  readonly owner?: string
  readonly namesSessions?: true
}

const uses = {
  agent: "calls /mcp",
  gate: "asks the gate",
  runner: "runs agents",
} as const satisfies Record<TokenView["kind"], string>

export function addTokens(program: Command, io: Io, done: Done): void {
  const tokens = program.command("tokens").description("manage agent and program tokens").helpCommand(false)
  withReviewerOptions(tokens.command("list").description("list tokens; secrets are never shown again")).action(
    async (flags: ReviewerFlags) => {
      done(
        await asReviewer(io, flags, async ({ client }) => {
          const { items } = answerOf(await client.listTokens())
          const rows = items.map(({ id, kind, owner, conveysDecisions, lastUsedAt }) => [
            showText(id),
            conveysDecisions ? `${uses[kind]}, conveys decisions` : uses[kind],
            owner === null ? "" : `of ${showText(owner)}`,
            usedWords(lastUsedAt, io.now()),
          ])
          if (flags.json) io.stdout.write(jsonLines({ tokens: items }))
          else io.stdout.write(rows.length === 0 ? "No tokens.\n" : table(rows, io))
          return 0
        }),
      )
    },
  )
  withReviewerOptions(tokens.command("add <name>"))
    .description("create a token and print its secret once; rules and records use its name for the agent")
    .option("--gate", "for a program that embeds the gate, instead of an agent that uses /mcp")
    .option("--runner", "for a program that starts agent runs (/api/runs, /v1/responses)")
    .option(
      "--conveys-decisions",
      "with --runner: what it says to calls of its own runs counts like a reviewer's, where the policy lets it",
    )
    .option("--owner <reviewer>", "reviewer who owns it and cannot approve its calls")
    .option("--names-sessions", "allow it to name sessions")
    .action(async (id: string, flags: AddFlags) => {
      done(
        await asReviewer(io, flags, async (desk) => {
          if (id === "") throw new RefusedByService(2, "A token needs a name, such as laptop.")
          if (flags.gate && flags.runner) throw new RefusedByService(2, "Choose --gate or --runner, not both.")
          if (flags.conveysDecisions && !flags.runner)
            throw new RefusedByService(2, "--conveys-decisions goes with --runner.")
          const client = await desk.present()
          const body = {
            id,
            kind: flags.gate ? ("gate" as const) : flags.runner ? ("runner" as const) : ("agent" as const),
            namesSessions: flags.namesSessions === true,
            conveysDecisions: flags.conveysDecisions === true,
            ...(flags.owner === undefined ? {} : { owner: flags.owner }),
          }
          const added = answerOf(await client.addToken({ body }))
          if (flags.json) io.stdout.write(jsonLines(added))
          else {
            io.stderr.write(`Token for ${showText(id)}, shown only once:\n`)
            io.stdout.write(asIs(`${added.secret}\n`))
          }
          return 0
        }),
      )
    })
  withReviewerOptions(tokens.command("revoke <names...>").description("revoke tokens immediately")).action(
    async (names: readonly string[], flags: ReviewerFlags) => {
      done(
        await asReviewer(io, flags, async ({ client }) => {
          for (const id of names) {
            answerOf(await client.revokeToken({ params: { id } }), `No token ${showText(id)}. ${seeList}`)
            if (!flags.json) io.stdout.write(`Revoked: ${showText(id)}\n`)
          }
          if (flags.json) io.stdout.write(jsonLines({ revoked: names }))
          return 0
        }),
      )
    },
  )
}

const seeList = "See byleave tokens list."

const hour = 3_600_000

/** Kept to the hour, so that using a token need not be written down each time. */
function usedWords(lastUsedAt: number | null, now: number): string {
  if (lastUsedAt === null) return "never used"
  return now - lastUsedAt < hour ? "used within the hour" : `used ${ago(now - lastUsedAt)}`
}
