import type { ApprovalView } from "@byleave/api"
import type { Io } from "../io.ts"
import { createPaint } from "../terminal/paint.ts"
import { callLines } from "./call-lines.ts"
import { countMasked, hiddenWords, type Reveal, revealed } from "./masks.ts"
import { RefusedByService } from "./reviewer-client.ts"
import type { ReviewerFlags } from "./reviewer-command.ts"
import { wrapped } from "./session-lines.ts"
import type { SessionsByKey } from "./sessions-of.ts"
import { shortId } from "./short-id.ts"

export type RevealFlags = ReviewerFlags & { readonly reveal?: true }

export function revealBy({ reveal }: RevealFlags): Reveal {
  return reveal ? revealed : { isShown: false, by: "--reveal" }
}

/** The ids among which a call's must be told apart, and what is known of sessions. */
export type Among = { readonly all: readonly string[]; readonly sessions: SessionsByKey; readonly reveal: Reveal }

/** Shows everything that is about to be approved to the person who types the PIN, even if a program reads the answer. */
export function showWhole(
  io: Io,
  view: ApprovalView,
  { all, sessions, reveal }: Among,
  remembered: readonly string[] = [],
): void {
  const options = {
    ...{ short: shortId(view.id, all), now: io.now(), paint: createPaint(io.stderr, io.env) },
    session: sessions.get(view.sessionKey),
    columns: io.stderr.columns?.(),
    reveal,
  }
  const saved = remembered.length === 0 ? "" : wrapped(remembered, options.columns)
  io.stderr.write(`${callLines(view, options)}${saved}\n`)
}

export const revealWords = "also show likely secrets; required to approve a call that contains any"

/** A call cannot be approved while parts of it are hidden. */
export function refuseUnseen(chosen: readonly ApprovalView[], { reveal }: RevealFlags): void {
  if (reveal) return
  const count = chosen.reduce((sum, view) => sum + countMasked(view), 0)
  const problem = hiddenWords(count, "Nothing was decided. Add --reveal to show everything and approve.")
  if (problem !== null) throw new RefusedByService(1, problem)
}
