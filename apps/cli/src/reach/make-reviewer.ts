import { type Credentials, isRefused } from "@byleave/server"
import type { Io } from "../io.ts"
import { asTyped } from "../terminal/ask-secret.ts"
import { noTerminal } from "../terminal/choose-pin.ts"

/** Makes this person a reviewer, or changes their PIN once they have typed the old one. `pin` null: without one. Returns the problem; null: none. */
export async function makeReviewer(
  credentials: Credentials,
  id: string,
  pin: string | null,
  io: Pick<Io, "askSecret" | "userName">,
): Promise<string | null> {
  const reviewers = await credentials.listReviewers()
  const known = reviewers.find((reviewer) => reviewer.id === id)
  if (known === undefined && reviewers.length > 0) return othersFirst(reviewers.map((each) => each.id))
  if (pin === null && known?.hasPin === true)
    return "You already have a PIN. Run init without --presence none to change it."
  const current = known?.hasPin === true ? await io.askSecret("Current PIN: ", asTyped) : undefined
  if (current === null) return noTerminal
  const made = await (known === undefined
    ? credentials.addReviewer({ id, name: io.userName, groups: [], ...(pin === null ? {} : { pin }) }, null)
    : pin === null || credentials.changePin(id, { ...(current === undefined ? {} : { current }), pin }))
  return isRefused(made) ? made.detail : null
}

function othersFirst(ids: readonly string[]): string {
  return `${ids.join(", ")} can already decide here. Ask them to add you: \`byleave reviewers add\`.`
}
