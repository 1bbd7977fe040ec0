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
