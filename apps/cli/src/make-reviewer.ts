import { type Credentials, isRefused } from "@byleave/server"
import { asTyped } from "./ask-secret.ts"
import type { Io } from "./io.ts"

/** The PIN that was chosen; null where there is none. */
export type Made = { readonly pin: string | null } | { readonly problem: string }

/** Makes this person a reviewer, or changes their PIN once they have typed the old one. */
export async function makeReviewer(
  credentials: Credentials,
  id: string,
  presence: "pin" | "none",
  io: Pick<Io, "askSecret" | "userName">,
): Promise<Made> {
  const reviewers = await credentials.listReviewers()
  const known = reviewers.find((reviewer) => reviewer.id === id)
  if (known === undefined && reviewers.length > 0) return { problem: othersFirst(reviewers.map((each) => each.id)) }
  const current = known?.hasPin === true ? await io.askSecret("Your PIN until now: ", asTyped) : undefined
  if (current === null) return { problem: noTerminal }
  if (presence === "none") {
    if (known?.hasPin === true) return { problem: "You have a PIN already. Without --presence none, init changes it." }
    const added = known ?? (await credentials.addReviewer({ id, name: io.userName, groups: [] }, null))
    return isRefused(added) ? { problem: added.detail } : { pin: null }
  }
  const chosen = await choosePin(io)
  if ("problem" in chosen) return chosen
  const { pin } = chosen
  const refused =
    known === undefined
      ? await credentials.addReviewer({ id, name: io.userName, groups: [], pin }, null)
      : await credentials.changePin(id, { ...(current === undefined ? {} : { current }), pin })
  return isRefused(refused) ? { problem: refused.detail } : chosen
}

function othersFirst(ids: readonly string[]): string {
  return `${ids.join(", ")} may decide here already. Let them add you: \`byleave reviewers add\`.`
}

const noTerminal =
  "No PIN was typed, so nothing was changed. It is typed on a terminal, and perhaps there is none here. Run `byleave init` in one; `--presence none` needs no PIN and is for demonstrations only."

async function choosePin(io: Pick<Io, "askSecret">): Promise<{ readonly pin: string } | { readonly problem: string }> {
  const pin = await io.askSecret(`Choose a PIN (at least ${shortest} characters): `, asTyped)
  if (pin === null) return { problem: noTerminal }
  if ([...pin].length < shortest) return { problem: `A PIN has at least ${shortest} characters. Nothing was changed.` }
  const again = await io.askSecret("The same again: ", asTyped)
  if (again !== pin) return { problem: "The two were not the same. Nothing was changed; run it again." }
  return { pin }
}

const shortest = 6
