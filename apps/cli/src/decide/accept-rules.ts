/**
 * Suggested rules, displayed and accepted.
 *
 * I1. The words of a rule are made here, from the rule that is sent; those that came with it are not shown.
 * I2. All that will change is printed before the PIN is asked for.
 */
import { acceptRule } from "@byleave/api"
import { describeRule, type Effect, showText } from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { readRuleText, ruleLines } from "@byleave/formats"
import type { Io } from "../io.ts"
import { createPaint, jsonLines, safeLines } from "../terminal/paint.ts"
import { inRow } from "./in-row.ts"
import { RefusedByService, type ReviewerClient } from "./reviewer-client.ts"
import { answerOf } from "./waiting-calls.ts"

/** A rule that somebody may accept by its id. */
export type OfferedRule = {
  readonly id: string
  readonly rule: string
  readonly words: string
  readonly replaces: readonly string[]
}

/** A rule as it is read here, so that it is displayed as it is sent. */
type ReadRule = { readonly rule: string; readonly words: string; readonly effect: Effect }

/** The same offers with the rules as they are read here, and in our own words. */
export function inOwnWords<Offered extends OfferedRule>(offered: readonly Offered[]): readonly Offered[] {
  return offered.map((one) => {
    const { rule, words } = readOffered(one.rule)
    return { ...one, rule, words, replaces: one.replaces.map((each) => readOffered(each).rule) }
  })
}

function readOffered(text: string): ReadRule {
  const read = readRuleText(text, nodeHasher)
  const rule = read === null ? undefined : ruleLines(read)
  if (read === null || rule === undefined) {
    throw new RefusedByService(1, "The service suggests something that this version cannot read as a rule.")
  }
  return { rule, words: describeRule(read), effect: read.effect }
}

type AcceptOptions = {
  readonly offered: readonly OfferedRule[]
  /** Ids or beginnings of them; `all`. */
  readonly ids: readonly string[]
  /** The command that lists what is offered. */
  readonly list: string
  readonly json: boolean
}

/** Adds the chosen rules to the configuration. What allows more asks for the PIN. */
export async function acceptRules(io: Io, desk: ReviewerClient, options: AcceptOptions): Promise<void> {
  const paint = createPaint(io.stdout, io.env)
  const accepted: Array<{ readonly id: string; readonly rule: string; readonly waiting: string | null }> = []
  const rules = chosen(options)
  for (const one of rules) io.stderr.write(changeLines(one))
  for (const { id, rule, replaces } of rules) {
    const { effect, words } = readOffered(rule)
    const client = effect === "allow" ? await desk.present() : desk.client
    const { waiting } = answerOf(await acceptRule(client, { rule, replaces }))
    accepted.push({ id, rule, waiting })
    if (options.json) continue
    const state = waiting === null ? "Added" : "Added, and waits for approval"
    io.stdout.write(`${inRow(`${paint("green", state)}: ${showText(words)}`, io.stdout)}\n`)
  }
  if (options.json) io.stdout.write(jsonLines({ accepted }))
}

function changeLines({ rule, replaces }: OfferedRule): string {
  const lines = (lead: string, text: string) => `${lead}\n${safeLines(text).replaceAll(/^/gm, "    ")}\n`
  return [lines("Add:", rule), ...replaces.map((one) => lines("Remove:", one))].join("")
}

function chosen({ offered, ids, list }: AcceptOptions): readonly OfferedRule[] {
  if (ids.length === 1 && ids[0] === "all") return offered
  return ids.map((id) => {
    const found = offered.filter((one) => one.id.startsWith(id))
    const [only] = found
    if (only !== undefined && found.length === 1) return only
    const problem =
      found.length > 1 ? `${showText(id)} names several suggestions.` : `There is no suggestion ${showText(id)}.`
    throw new RefusedByService(1, `${problem} List them with \`${list}\`.`)
  })
}
