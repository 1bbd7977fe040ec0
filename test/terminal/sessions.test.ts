import { afterAll, beforeAll, expect, it } from "vitest"
import { makeScene, type Scene, type Wrapped, waitingCalls } from "./wrapping.ts"

let scene: Scene
let client: Wrapped
let url: string

beforeAll(async () => {
  scene = await makeScene()
  ;({ url } = await scene.serve())
  client = scene.wrap()
  await client.open()
  await client.ask("tools/list", "{}")
}, 60_000)
afterAll(async () => {
  client?.child.stdin?.end()
  await client?.ended
  await scene?.dispose()
})

const byleave = (...args: readonly string[]) => scene.command(...args, "--data", scene.data)

it("R66: a session is listed, its mode set for a while, and what would be asked is refused while nobody is there", async () => {
  const person = await scene.reviewer(url)
  const held = client.call("echo", JSON.stringify({ text: "waits" }))
  const [view] = await waitingCalls(person, 1)
  const id = view?.session.id ?? ""
  const listed = await byleave("sessions", "list")
  expect(listed.stdout).toContain(id)
  expect(listed.stdout).toContain("1 waiting")
  expect(await byleave("sessions", "mode", id, "--to", "unattended", "--for", "10m")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/unattended, ends in \d+ minutes/),
  })
  const refused = await client.call("echo", JSON.stringify({ text: "another" }))
  expect(JSON.stringify(refused)).toContain("unattended")
  expect((await byleave("sessions", "mode", "nobody", "--to", "ask")).code).toBe(1)
  expect((await byleave("sessions", "mode", id)).code).toBe(2)
  expect(await byleave("sessions", "end", id)).toMatchObject({ code: 0 })
  expect(JSON.stringify(await held)).toContain("withdrawn")
}, 60_000)

it("stop ends the service of the folder, and says when there is none", async () => {
  expect(await byleave("stop")).toMatchObject({ code: 0, stdout: expect.stringContaining("Stopped") })
  expect((await byleave("stop")).code).toBe(3)
  expect((await byleave("pending")).code).toBe(3)
}, 60_000)
