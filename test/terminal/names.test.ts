/** Who asks, at the terminal: clients before a wrap by their own name, version and folder, and whether they are still there. */
import { Client as McpClient } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { afterAll, beforeAll, expect, it } from "vitest"
import { makeScene, type Scene, waitingCalls } from "./wrapping.ts"

let scene: Scene
let url: string
beforeAll(async () => {
  scene = await makeScene()
  ;({ url } = await scene.serve())
}, 60_000)
afterAll(() => scene?.dispose())

const byleave = async (...args: readonly string[]): Promise<string> =>
  (await scene.command(...args, "--data", scene.data)).stdout

it("R148: an official client before a wrap is told by name, version and folder, as connected, and as gone once it was killed", async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: scene.wrapArgs("odd", ...scene.oddServer),
    env: { ...scene.env },
    cwd: scene.env.HOME ?? "",
    stderr: "ignore",
  })
  const client = new McpClient({ name: "Editor\u001b[2J", version: "2.1.3" })
  await client.connect(transport)
  const person = await scene.reviewer(url)
  const asked = client.callTool({ name: "echo", arguments: { text: "approved" } })
  const [first] = await waitingCalls(person, 1)
  const named = { client: "Editor\u001b[2J 2.1.3", folder: scene.env.HOME }
  const sessions = await person.listSessions()
  expect(sessions.ok && sessions.value.items).toMatchObject([{ id: first?.session.id, ...named }])
  const listedCalls = await person.listApprovals({ query: { status: "pending" } })
  expect(listedCalls.ok && listedCalls.value.items).toMatchObject([{ session: { id: first?.session.id } }])
  const approving = await scene.command("approve", first?.id ?? "", "--data", scene.data)
  expect(approving, approving.stderr).toMatchObject({ code: 0 })
  expect(approving.stderr).toMatch(/asked by {3}"Editor⟨U\+001B⟩\[2J 2\.1\.3 in \S+", /)
  await asked

  const held = client.callTool({ name: "echo", arguments: { text: "waits" } }).catch(() => "cut off")
  const [view] = await waitingCalls(person, 1)

  const pending = await byleave("pending", "--full")
  expect(pending).toMatch(/asked by {3}"Editor⟨U\+001B⟩\[2J 2\.1\.3 in \S+", /)
  expect(pending).toContain(`session    ${view?.session.id} of wrap:odd, connected, started`)
  expect(pending.replaceAll(/\n {6}│ /g, "")).toContain(`folder     ${scene.env.HOME}`)
  const listed = await byleave("sessions", "list")
  expect(listed).toMatch(/^\S+ {2}Editor⟨U\+001B⟩\[2J 2\.1\.3 in \S+$/m)
  expect(listed).toContain("agent      wrap:odd, connected, started")
  expect(`${pending}${listed}`).not.toContain("\u001b")

  process.kill(transport.pid ?? 0, "SIGKILL")
  await held
  const connection = async (): Promise<unknown> =>
    JSON.parse(await byleave("sessions", "list", "--json")).sessions[0]?.connection
  await expect.poll(connection, { timeout: 20_000, interval: 200 }).toEqual({
    state: "gone",
    since: expect.any(Number),
  })
  await expect
    .poll(() => byleave("sessions", "list"), { timeout: 20_000 })
    .toMatch(/wrap:odd, disconnected .*\n(.*\n)*.*0 waiting/)
}, 90_000)
