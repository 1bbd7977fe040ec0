import { showText } from "@byleave/core"
import type { Command } from "commander"
import { asTyped } from "../ask-secret.ts"
import { Refused } from "../decide/desk.ts"
import { atDesk, type DeskFlags, withDeskOptions } from "../decide/desk-command.ts"
import { table } from "../decide/table.ts"
import { answerOf } from "../decide/waiting-calls.ts"
import type { Done, Io } from "../io.ts"
import { createPaint, jsonLines } from "../paint.ts"
import { signInAddress } from "../sign-in-address.ts"

type AddFlags = DeskFlags & { readonly name?: string; readonly groups?: string }

export function addReviewers(program: Command, io: Io, done: Done): void {
  const reviewers = program.command("reviewers").description("people who may decide").helpCommand(false)
  withDeskOptions(reviewers.command("list").description("everybody who may decide")).action(
    async (flags: DeskFlags) => {
      done(
        await atDesk(io, flags, async ({ client }) => {
          const { items } = answerOf(await client.listReviewers())
          const rows = items.map(({ id, name, groups, hasPin }) => [
            showText(id),
            showText(name),
            groups.map(showText).join(", "),
            hasPin ? "has a PIN" : "has no PIN",
          ])
          if (flags.json) io.stdout.write(jsonLines({ reviewers: items }))
          else
            io.stdout.write(
              rows.length === 0
                ? "Nobody may decide. Run byleave init.\n"
                : table(rows, createPaint(io.stdout, io.env)),
            )
          return 0
        }),
      )
    },
  )
  withDeskOptions(reviewers.command("add <id>"))
    .description("add a person: prints a one-time link with which they sign in; their first PIN is typed here")
    .option("--name <words>", "what people call them")
    .option("--groups <names>", "groups, with commas between")
    .action(async (id: string, flags: AddFlags) => {
      done(
        await atDesk(io, flags, async (desk) => {
          const client = await desk.present()
          const needsPin = answerOf(await client.me()).presence === "pin"
          const pin = needsPin ? await newPin(io, id) : undefined
          const groups = flags.groups?.split(",").map((group) => group.trim()) ?? []
          const body = { id, name: flags.name ?? id, groups, ...(pin === undefined ? {} : { pin }) }
          const reviewer = answerOf(await client.addReviewer({ body }))
          const minted = answerOf(await client.mintLink({ body: { reviewer: id } }))
          const link = { ...minted, url: signInAddress(desk.url, minted.link) }
          if (flags.json) io.stdout.write(jsonLines({ reviewer, link }))
          else
            io.stdout.write(
              `${showText(reviewer.name)} may decide. Give them this link, good for ten minutes and one use:\n${link.url}\n`,
            )
          return 0
        }),
      )
    })
  withDeskOptions(reviewers.command("remove <ids...>").description("remove people and sign out their devices")).action(
    async (ids: readonly string[], flags: DeskFlags) => {
      done(
        await atDesk(io, flags, async (desk) => {
          const client = await desk.present()
          for (const id of ids) {
            answerOf(
              await client.removeReviewer({ params: { id } }),
              `There is no reviewer ${showText(id)}. See byleave reviewers list.`,
            )
            if (!flags.json) io.stdout.write(`Removed: ${showText(id)}\n`)
          }
          if (flags.json) io.stdout.write(jsonLines({ removed: ids }))
          return 0
        }),
      )
    },
  )
}

async function newPin(io: Io, id: string): Promise<string> {
  const pin = await io.askSecret(`A first PIN for ${showText(id)}: `, asTyped)
  if (pin === null) throw new Refused(1, "No PIN was typed on a terminal, so nothing was changed.")
  if ((await io.askSecret("The same once more: ", asTyped)) !== pin)
    throw new Refused(1, "The two PINs differ. Nothing was changed.")
  return pin
}
