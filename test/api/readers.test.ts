/** For whom the store is read: those for whom much is read take turns, so that nobody waits behind the reads of another. */
import { afterEach, expect, it } from "vitest"
import { callOf, holdCall } from "../engine/open-engine.ts"
import { opening } from "../opening.ts"
import { must, openService } from "./open-service.ts"

const { open, closeAll } = opening(openService)
afterEach(closeAll)

async function openRead() {
  const seen: string[] = []
  const service = await open({ onReadFor: (what, reader) => seen.push(`${what} for ${reader}`) })
  /** The reads of this work alone. */
  const during = async (work: () => Promise<unknown>): Promise<readonly string[]> => {
    seen.length = 0
    await work()
    return seen.splice(0)
  }
  return { service, during }
}

it("a reviewer's request is read for that reviewer, from the device's key on", async () => {
  const { service, during } = await openRead()
  const { client, key } = await service.person("ana")
  const device = `device ${await service.credentials.deviceIdOf(key.jwk)}`
  const { approval } = await holdCall(service.engine, callOf("files(write)"))
  const listed = await during(async () => must(await client.getApproval({ params: { id: approval.id } })))
  expect(listed).toContain("approval for reviewer ana")
  expect(listed).toContain(`device for ${device}`)
  const body = { verdicts: [{ approval: approval.id, kind: "deny" as const, digest: approval.runDigest }] }
  const answered = await during(async () => must(await client.giveVerdicts({ body })))
  expect(answered).toContain("approval for reviewer ana")
})

it("what all share is read for nobody in particular, whoever asks first", async () => {
  const { service, during } = await openRead()
  const made = await service.credentials.addToken({ id: "prog", kind: "gate", namesSessions: true }, null)
  if (!("secret" in made)) throw new Error(made.detail)
  const headers = { host: "127.0.0.1:7337", authorization: `bEARER ${made.secret}`, "content-type": "application/json" }
  const from = { agent: "agent", session: { id: "s", named: true } }
  const body = JSON.stringify({ from, targets: [{ kind: "tool", server: "files", name: "read" }] })
  const read = await during(() => service.send("/api/gate/judge", { method: "POST", headers, body }))
  expect(read).toContain(`token for token ${made.secret}`)
  expect(read).toContain("all of token for ")
  expect(read).toContain("decision state for ")
})
