import { newDeviceKey, signProof } from "@byleave/api"
import { expect, it } from "vitest"
import { openPorts } from "../credentials/fixtures/open-ports.ts"
import { createSpentProofs } from "../credentials/spent-proofs.ts"
import { whoAsks } from "./who-asks.ts"

it("I3: nothing is kept of a stranger's requests, however well they are signed", async () => {
  const credentials = openPorts()
  const host = "127.0.0.1:7337"
  const asking = { credentials, spent: createSpentProofs(credentials), addresses: new Set([`http://${host}`]) }
  const key = await newDeviceKey({ extractable: false })
  const url = `http://${host}/api/grants`
  const dpop = await signProof({ key, method: "POST", url, body: "{}", now: credentials.clock.now })
  const read: string[] = []
  const readText = async (reviewer: string): Promise<string> => {
    read.push(reviewer)
    return "{}"
  }
  for (let again = 0; again < 2; again += 1) {
    const request = new Request(url, { method: "POST", body: "{}", headers: { dpop } })
    expect(await whoAsks(asking, request, readText)).toMatchObject({ refusedWith: "not-signed-in" })
  }
  expect(await credentials.store.documents("proof", { limit: 10, now: credentials.clock.now })).toEqual([])
  expect(read).toEqual([])
  await credentials.store.close()
})
