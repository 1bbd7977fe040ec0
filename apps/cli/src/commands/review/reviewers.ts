import { showText } from "@byleave/core"
import type { Command } from "commander"
import { RefusedByService } from "../../decide/reviewer-client.ts"
import { asReviewer, type ReviewerFlags, withReviewerOptions } from "../../decide/reviewer-command.ts"
import { table } from "../../decide/table.ts"
import { answerOf } from "../../decide/waiting-calls.ts"
import type { Done, Io } from "../../io.ts"
import { signInAddress } from "../../reach/sign-in-address.ts"
import { asTyped } from "../../terminal/ask-secret.ts"
import { asIs, jsonLines } from "../../terminal/paint.ts"

type AddFlags = ReviewerFlags & { readonly name?: string; readonly groups?: string }

export function addReviewers(program: Command, io: Io, done: Done): void {
  const reviewers = program.command("reviewers").description("manage reviewers").helpCommand(false)
  withReviewerOptions(reviewers.command("list").description("list reviewers")).action(async (flags: ReviewerFlags) => {
    done(
      await asReviewer(io, flags, async ({ client }) => {
        const { items } = answerOf(await client.listReviewers())
        const rows = items.map(({ id, name, groups, hasPin }) => [
          showText(id),
          showText(name),
          groups.map(showText).join(", "),
          hasPin ? "has a PIN" : "has no PIN",
        ])
        if (flags.json) io.stdout.write(jsonLines({ reviewers: items }))
        else io.stdout.write(rows.length === 0 ? "No reviewers. Run byleave init.\n" : table(rows, io))
        return 0
      }),
    )
  })
  withReviewerOptions(reviewers.command("add <id>"))
    .description("add a reviewer: set their first PIN here and print a one-time sign-in link")
    .option("--name <words>", "display name")
    .option("--groups <names>", "comma-separated groups")
    .action(async (id: string, flags: AddFlags) => {
      done(
        await asReviewer(io, flags, async (desk) => {
          const client = await desk.present()
          const needsPin = answerOf(await client.me()).presence === "pin"
          const pin = needsPin ? await newPin(io, id) : undefined
          const groups = flags.groups?.split(",").map((group) => group.trim()) ?? []
          const body = { id, name: flags.name ?? id, groups, ...(pin === undefined ? {} : { pin }) }
          const reviewer = answerOf(await client.addReviewer({ body }))
          const minted = answerOf(await client.mintLink({ body: { reviewer: id } }))
          const link = { ...minted, url: signInAddress(desk.url, minted.link) }
          if (flags.json) io.stdout.write(jsonLines({ reviewer, link }))
          else {
            io.stdout.write(
              `${showText(reviewer.name)} was added. Send them this sign-in link; it works once, for ten minutes:\n`,
            )
            io.stdout.write(asIs(`${link.url}\n`))
          }
          return 0
        }),
      )
    })
  withReviewerOptions(
    reviewers.command("remove <ids...>").description("remove reviewers and sign out their devices"),
  ).action(async (ids: readonly string[], flags: ReviewerFlags) => {
    done(
      await asReviewer(io, flags, async (desk) => {
        const client = await desk.present()
        for (const id of ids) {
          answerOf(
            await client.removeReviewer({ params: { id } }),
            `No reviewer ${showText(id)}. See byleave reviewers list.`,
          )
          if (!flags.json) io.stdout.write(`Removed: ${showText(id)}\n`)
        }
        if (flags.json) io.stdout.write(jsonLines({ removed: ids }))
        return 0
      }),
    )
  })
}

async function newPin(io: Io, id: string): Promise<string> {
  const pin = await io.askSecret(`First PIN for ${showText(id)}: `, asTyped)
  if (pin === null) throw new RefusedByService(1, "No PIN was entered in a terminal, so nothing was changed.")
  if ((await io.askSecret("Repeat the PIN: ", asTyped)) !== pin)
    throw new RefusedByService(1, "The PINs did not match. Nothing was changed.")
  return pin
}
