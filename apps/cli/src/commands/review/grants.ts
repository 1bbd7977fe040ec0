import { type Client, type GrantView, grantAsShown, grantsDigest } from "@byleave/api"
import { type Breadth, literalOf, parseTargetPattern } from "@byleave/core"
import type { Command } from "commander"
import { inRow } from "../../decide/in-row.ts"
import { durationOf } from "../../decide/remembering.ts"
import { RefusedByService } from "../../decide/reviewer-client.ts"
import { asReviewer, type ReviewerFlags, withReviewerOptions } from "../../decide/reviewer-command.ts"
import { findById, shortId } from "../../decide/short-id.ts"
import { table } from "../../decide/table.ts"
import { ago, inWords } from "../../decide/time-words.ts"
import { answerOf } from "../../decide/waiting-calls.ts"
import type { Done, Io } from "../../io.ts"
import { jsonLines, sentenceLines } from "../../terminal/paint.ts"

export function addGrants(program: Command, io: Io, done: Done): void {
  const grants = program.command("grants").description("manage saved permissions").helpCommand(false)
  withReviewerOptions(grants.command("list").description("list all permissions")).action(
    async (flags: ReviewerFlags) => {
      done(
        await asReviewer(io, flags, async ({ client }) => {
          const items = await remembered(client, io)
          if (flags.json) io.stdout.write(jsonLines({ grants: items }))
          else io.stdout.write(items.length === 0 ? "No permissions.\n" : listing(items, io))
          return 0
        }),
      )
    },
  )
  addAdd(grants, io, done)
  withReviewerOptions(grants.command("revoke <ids...>").description("revoke permissions")).action(
    async (ids: readonly string[], flags: ReviewerFlags) => {
      done(
        await asReviewer(io, flags, async (desk) => {
          const items = await remembered(desk.client, io)
          const chosen = ids.map((id) => theGrant(items, id))
          showForgotten(io, chosen)
          const client = chosen.some(({ effect }) => effect === "deny") ? await desk.present() : desk.client
          for (const grant of chosen) {
            const body = { digest: await grantsDigest([grant]) }
            answerOf(await client.revokeGrant({ params: { id: grant.id }, body }))
          }
          if (flags.json) io.stdout.write(jsonLines({ revoked: chosen.map(({ id }) => id) }))
          else
            for (const { words } of chosen) io.stdout.write(`${inRow(`Revoked: ${sentenceLines(words)}`, io.stdout)}\n`)
          return 0
        }),
      )
    },
  )
  addClear(grants, io, done)
}

type AddFlags = ReviewerFlags & {
  readonly deny?: true
  readonly session?: string
  readonly for?: string
  readonly uses?: string
  readonly reason?: string
}

function addAdd(grants: Command, io: Io, done: Done): void {
  withReviewerOptions(grants.command("add <pattern>"))
    .description('save a permission in advance, such as "files(read_*)", so that unattended runs do not stop')
    .option("--deny", "deny such calls instead of allowing them")
    .option("--session <principal/id>", "for one session only")
    .option("--for <time>", "how long it lasts, such as 30m")
    .option("--uses <count>", "how many calls it covers")
    .option("--reason <words>", "reason, for other reviewers")
    .action(async (pattern: string, flags: AddFlags) => {
      done(
        await asReviewer(io, flags, async (desk) => {
          const uses = flags.uses === undefined ? undefined : Number(flags.uses)
          if (uses !== undefined && !(Number.isSafeInteger(uses) && uses > 0))
            throw new RefusedByService(2, "--uses must be a number, such as 5.")
          const body = {
            effect: flags.deny ? ("deny" as const) : ("allow" as const),
            breadth: breadthOf(pattern),
            ...(flags.session === undefined ? {} : { session: sessionOf(flags.session) }),
            ...(flags.for === undefined ? {} : { until: io.now() + durationOf(flags.for) }),
            ...(uses === undefined ? {} : { uses }),
            ...(flags.reason === undefined ? {} : { reason: flags.reason }),
          }
          const client = flags.deny ? desk.client : await desk.present()
          const grant = answerOf(await client.addGrant({ body }))
          io.stdout.write(
            flags.json ? jsonLines({ grant }) : `${inRow(`Saved: ${sentenceLines(grant.words)}`, io.stdout)}\n`,
          )
          return 0
        }),
      )
    })
}

function addClear(grants: Command, io: Io, done: Done): void {
  withReviewerOptions(grants.command("clear"))
    .description("revoke all permissions of a server or a session")
    .option("--server <id>", "of this server")
    .option("--session <principal/id>", "of this session")
    .action(async (flags: ReviewerFlags & { readonly server?: string; readonly session?: string }) => {
      done(
        await asReviewer(io, flags, async (desk) => {
          const { server, session } = flags
          if ((server === undefined) === (session === undefined))
            throw new RefusedByService(2, "Specify --server or --session.")
          const of = server === undefined ? { session: sessionOf(session ?? "") } : { server }
          const chosen = (await remembered(desk.client, io)).filter((grant) => isOf(grant, of))
          showForgotten(io, chosen)
          const client = await desk.present()
          const body = { ...of, digest: await grantsDigest(chosen) }
          const { revoked } = answerOf(await client.clearGrants({ body }))
          io.stdout.write(flags.json ? jsonLines({ revoked }) : `${revoked} revoked.\n`)
          return 0
        }),
      )
    })
}

/** Permissions in words made here from what the service sent: revoking them is bound to exactly that. */
async function remembered(client: Client, io: Io): Promise<readonly GrantView[]> {
  const { items } = answerOf(await client.listGrants())
  return items.map((grant) => grantAsShown(grant, io.now()))
}

/** Shows everything that is about to be forgotten to the person who types the PIN, even if a program reads the answer. */
function showForgotten(io: Io, grants: readonly GrantView[]): void {
  for (const { words } of grants) io.stderr.write(`${inRow(`  revoke   ${sentenceLines(words)}`, io.stderr)}\n`)
}

type Cleared = { readonly server: string } | { readonly session: ReturnType<typeof sessionOf> }

function isOf({ breadth, session }: GrantView, of: Cleared): boolean {
  if ("server" in of) return breadth.server === of.server
  return session?.principal === of.session.principal && session.id === of.session.id
}

function theGrant(items: readonly GrantView[], written: string): GrantView {
  const found = findById(items, written, "grant")
  if (!found.ok) throw new RefusedByService(1, `${found.error} See byleave grants list.`)
  return found.item
}

/** A pattern as a rule would write it; names without wildcards are taken literally. */
function breadthOf(pattern: string): Breadth {
  const parsed = parseTargetPattern(pattern)
  if (!parsed.ok) throw new RefusedByService(2, parsed.problem)
  const { server, kind, name, whole } = parsed.pattern
  if (kind !== "tool")
    throw new RefusedByService(2, "Permissions cover tools only. For resources, prompts and the rest, write a rule.")
  const id = literalOf(server)
  if (id === null) throw new RefusedByService(2, "A permission covers one server: enter its name without wildcards.")
  if (whole || name === "*") return { kind: "server", server: id, access: "all" }
  const tool = literalOf(name)
  return tool === null ? { kind: "pattern", server: id, tool: name } : { kind: "tool", server: id, tool }
}

function sessionOf(written: string): { readonly principal: string; readonly id: string } {
  const at = written.indexOf("/")
  if (at < 1) throw new RefusedByService(2, "Enter a session as principal/id, as shown by byleave pending.")
  return { principal: written.slice(0, at), id: written.slice(at + 1) }
}

/** Levels as people say them; programs get their names. */
const levelWords = {
  Ask: "ask",
  AllowOnce: "allow once",
  AllowSession: "allow for session",
  AllowAlways: "allow always",
  DenyAlways: "deny always",
} as const satisfies Record<GrantView["level"], string>

function listing(items: readonly GrantView[], io: Io): string {
  const all = items.map(({ id }) => id)
  const now = io.now()
  const rows = items.map((grant) => [
    shortId(grant.id, all),
    grant.usesLeft === undefined ? levelWords[grant.level] : `allow ${grant.usesLeft}×`,
    sentenceLines(grant.words),
    grant.until === undefined ? "" : `ends ${inWords(grant.until - now)}`,
    grant.timesUsed === 0 ? "never used" : `used ${grant.timesUsed}×, ${ago(now - (grant.lastUsedAt ?? now))}`,
    `by ${sentenceLines(grant.createdBy)}`,
  ])
  return table(rows, io)
}
