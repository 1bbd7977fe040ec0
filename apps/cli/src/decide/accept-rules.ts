import { acceptRule } from "@byleave/api"
import { showText } from "@byleave/core"
import type { Io } from "../io.ts"
import { createPaint, jsonLines } from "../terminal/paint.ts"
import { inRow } from "./in-rows.ts"
import { RefusedByService, type ReviewerClient } from "./reviewer-client.ts"
import { answerOf } from "./waiting-calls.ts"

/** A rule that somebody may accept by its id. */
export type OfferedRule = {
  readonly id: string
  readonly rule: string
  readonly words: string
  readonly effect: "hide" | "deny" | "ask" | "allow"
  readonly replaces: readonly string[]
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
  for (const { id, rule, effect, words, replaces } of chosen(options)) {
    const client = effect === "allow" ? await desk.present() : desk.client
    const { waiting } = answerOf(await acceptRule(client, rule, replaces))
    accepted.push({ id, rule, waiting })
    if (options.json) continue
    const state = waiting === null ? "Added" : "Added, and waits for approval"
    io.stdout.write(`${inRow(`${paint("green", state)}: ${showText(words)}`, io.stdout)}\n`)
  }
  if (options.json) io.stdout.write(jsonLines({ accepted }))
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
