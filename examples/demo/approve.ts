import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { bindVerdict, type Client, createClient, deviceKeyFrom, signProof } from "@byleave/api"

/** A reviewer's client with the key that `byleave init` left in the data folder; it may approve, for here presence is none. */
export async function reviewerOf(url: string, data: string): Promise<Client> {
  const { jwk } = JSON.parse(readFileSync(join(data, "terminal.json"), "utf8"))
  const key = await deviceKeyFrom(jwk)
  return createClient({ url, sign: (request) => signProof({ key, ...request, now: Date.now() }) })
}

/** Waits until a call is held, and approves it as it was shown. */
export async function approveWhatWaits(url: string, data: string, say: (line: string) => void): Promise<void> {
  const reviewer = await reviewerOf(url, data)
  for (;;) {
    const held = await reviewer.listApprovals({ query: { status: "pending", server: "files" } })
    if (!held.ok) throw new Error(held.problem.detail)
    const [first] = held.value.items
    if (first === undefined) {
      await delay(50)
      continue
    }
    say(`Held: ${first.tool.server}(${first.tool.tool}). The reviewer approves it.`)
    const shown = await reviewer.getApproval({ params: { id: first.id } })
    if (!shown.ok) throw new Error(shown.problem.detail)
    const body = await bindVerdict(shown.value, { kind: "approve" })
    const answer = await reviewer.giveVerdict({ params: { id: first.id }, body })
    if (!answer.ok) throw new Error(answer.problem.detail)
    return
  }
}
