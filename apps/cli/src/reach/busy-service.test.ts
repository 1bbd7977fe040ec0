/** A service that is there and does not get to answer is no service that is down. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, expect, it } from "vitest"
import { takeFolderLock } from "../files/folder-lock.ts"
import { makePlace, type Place } from "../service/fixtures/service-process.ts"
import { keepChallengeSecret, proofOf } from "./challenge.ts"
import { exitCodeOf, findService } from "./find-service.ts"
import { writeServiceFile } from "./service-file.ts"

const ends: Array<() => unknown> = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A data folder whose service, by its own word, is what answers here. */
async function open(answer: (request: IncomingMessage, response: ServerResponse, place: Place) => void) {
  const place = makePlace("version: 1\n")
  ends.push(place.dispose)
  expect((await place.command("init", "--presence", "none", "--data", place.data)).code).toBe(0)
  const server = createServer((request, response) => answer(request, response, place))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  ends.push(
    () => server.closeAllConnections(),
    () => server.close(),
  )
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  keepChallengeSecret(place.data)
  writeServiceFile(place.data, { version: 1, url, pid: process.pid, started: 0 })
  return { ...place, url }
}

it("is busy where its folder is locked and it does not answer in time; without the lock it is not running", async () => {
  const { data, url } = await open(() => {})
  const held = takeFolderLock(data, "service")
  const found = await findService({ data, timeoutMs: 1 })
  if ("url" in found) throw new Error("It has not answered.")
  expect(found).toEqual({
    code: "busy",
    missing: `The service at ${url} is running, and too busy to answer in time. Try again in a moment.`,
  })
  expect(exitCodeOf(found)).toBe(1)
  held?.free()
  expect(await findService({ data, timeoutMs: 1 })).toMatchObject({ code: "not-running" })
})

it("a command that it hangs up on says so, and that it may be tried again", async () => {
  const { data, url, command } = await open((request, response, place) => {
    const asked = new URL(request.url ?? "", "http://127.0.0.1")
    if (asked.pathname !== "/api/hello") {
      request.socket.destroy()
      return
    }
    const { searchParams: said } = asked
    const secret = keepChallengeSecret(place.data)
    const proof = proofOf(secret, said.get("challenge") ?? "", said.get("address") ?? "")
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify({ name: "byleave", version: "1", presence: "none", proof }))
  })
  expect(await command("pending", "--data", data)).toMatchObject({
    code: 1,
    stderr: `The service at ${url} did not answer. It may be busy: try again.\n`,
  })
})
