import { newDeviceKey } from "@byleave/api"
import { expect, it } from "vitest"
import { createCredentials } from "./create-credentials.ts"
import { openPorts } from "./fixtures/open-ports.ts"

it("I2: a removed reviewer's devices are gone with them: somebody of that name added later does not inherit them", async () => {
  const credentials = createCredentials(openPorts())
  for (const id of ["ana", "ben"]) await credentials.addReviewer({ id, name: id, groups: [], pin: "1234" }, null)
  const { jwk } = await newDeviceKey({ extractable: false })
  await credentials.addDevice({ reviewer: "ben", jwk, name: "page", presence: true }, null)
  expect(await credentials.removeReviewer("ben", "ana")).toBeNull()
  await credentials.addReviewer({ id: "ben", name: "another Ben", groups: [], pin: "5678" }, null)
  expect(await credentials.listDevices()).toEqual([])
  await credentials.close()
})

it("I3: of two removals at once, of the only two reviewers, one is refused", async () => {
  const ports = openPorts()
  const credentials = createCredentials(ports)
  for (const id of ["ana", "ben"]) await credentials.addReviewer({ id, name: id, groups: [], pin: "1234" }, null)
  const removals = await Promise.all([
    credentials.removeReviewer("ben", "ana"),
    credentials.removeReviewer("ana", "ben"),
  ])
  expect(removals.map((refused) => refused?.refusedWith ?? "removed").toSorted()).toEqual(["last-reviewer", "removed"])
  expect(await credentials.listReviewers()).toHaveLength(1)
  await credentials.close()
})

it("I3: where something else that decisions rest on changes meanwhile, reviewers are counted anew", async () => {
  const ports = openPorts()
  const { store } = ports
  const change = { at: ports.now(), records: [], events: [], durability: "full" as const, movesEpoch: true }
  // Somebody else's change, between the count of the reviewers and the removal.
  const others = [change, change]
  const commit: typeof store.commit = async (own) => {
    const other = own.epoch === undefined ? undefined : others.pop()
    if (other !== undefined) await store.commit(other)
    return store.commit(own)
  }
  const credentials = createCredentials({ ...ports, store: { ...store, commit } })
  for (const id of ["ana", "ben"]) await credentials.addReviewer({ id, name: id, groups: [], pin: "1234" }, null)
  expect(await credentials.removeReviewer("ben", "ana")).toBeNull()
  expect(others).toEqual([])
  expect((await credentials.listReviewers()).map(({ id }) => id)).toEqual(["ana"])
  await credentials.close()
})
