import type { Credentials } from "@byleave/server"
import type { Settings } from "./settings.ts"

/**
 * Why a configuration that begins to require a PIN cannot be used: while nobody has one, nobody could approve anything, also not the way back. Null: it can be. Where there
 * are no reviewers yet, the first one chooses a PIN.
 */
export async function pinProblem(
  before: Settings,
  after: Settings,
  { listReviewers }: Pick<Credentials, "listReviewers">,
): Promise<string | null> {
  if (after.presence !== "pin" || before.presence === "pin") return null
  const reviewers = await listReviewers()
  return reviewers.length === 0 || reviewers.some(({ hasPin }) => hasPin) ? null : nobodyHasPin
}

const nobodyHasPin =
  "`presence: pin` cannot be used yet: no reviewer has a PIN, so nobody could approve anything. Choose one with `byleave init`, then save the file again."
