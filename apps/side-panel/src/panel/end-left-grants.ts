/**
 * Auto-approval of a thread ends when somebody leaves it: goes to another one, pairs the panel or ends the pairing, or comes back after the browser
 * was closed.
 *
 * I1. Whatever thread is open, no other one keeps a permission that was given in the panel, however the other one was left.
 * I2. One permission that cannot be ended keeps no other from ending, and is told.
 */
import type { GrantView } from "@byleave/api"
import { grantsDigest } from "@byleave/api/page"
import { answerIn, type PanelClient } from "./panel-client.ts"

type GrantClient = Pick<PanelClient, "listGrants" | "getApproval" | "revokeGrant">

/** Forgets permissions as they were shown. Rejects in the words of the first that could not be forgotten, after all were tried. */
export async function forgetGrants(client: GrantClient, grants: readonly GrantView[]): Promise<void> {
  await tryEach(grants, async (grant) => {
    const digest = await grantsDigest([grant])
    await answerIn(client.revokeGrant({ params: { id: grant.id }, body: { digest } }))
  })
}

export function isOfThread(grant: GrantView, thread: string | null): boolean {
  return thread !== null && isOfChat(grant) && grant.session?.id === thread
}

export function isOfChat({ session }: GrantView): boolean {
  return session?.principal === "chat"
}

/** `open`: the thread that somebody is in. `visited`: those that were open here before: all that is allowed in them ends, wherever it was given. */
export async function endLeftGrants(
  client: GrantClient,
  open: string | null,
  visited: ReadonlySet<string>,
): Promise<void> {
  const { items } = await answerIn(client.listGrants())
  const left = items.filter((grant) => grant.effect === "allow" && isOfChat(grant) && !isOfThread(grant, open))
  await tryEach(left, async (grant) => {
    if (visited.has(grant.session?.id ?? "") || (await isGivenInPanel(client, grant)))
      await forgetGrants(client, [grant])
  })
}

/** A service has a chat page of its own: what was given there is left to it. */
async function isGivenInPanel(client: GrantClient, { from }: GrantView): Promise<boolean> {
  if (from === null) return false
  const reply = await client.getApproval({ params: { id: from } })
  if (!reply.ok && reply.problem.code === "not-found") return true
  const { votes } = await answerIn(Promise.resolve(reply))
  return votes.some(({ kind, face }) => kind === "approve" && face === "side-panel")
}

async function tryEach<Each>(list: readonly Each[], act: (each: Each) => Promise<void>): Promise<void> {
  const problems: unknown[] = []
  for (const each of list) await act(each).catch((problem: unknown) => problems.push(problem))
  if (problems.length > 0) throw problems[0]
}
