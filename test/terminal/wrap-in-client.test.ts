/** What the configuration lets people decide in the client is decided there before a wrapped server, too. */
import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { afterEach, describe, expect, it } from "vitest"
import { readServiceFile } from "../../apps/cli/src/reach/service-file.ts"
import { makeScene, type Scene, statusOf, waitingCalls } from "./wrapping.ts"

let scene: Scene
afterEach(() => scene.dispose())

const configOf = (decides: boolean) => `version: 1
policy: { default: ask }
reviewers: { presence: none }
decideInClient: ${decides}
`

/** A client that approves whatever it is asked; resolves with the reply to its call, or with what it was asked. */
function approvingClient(): {
  readonly answered: Promise<string>
  readonly asked: () => number
  readonly end: () => void
} {
  const child = spawn(process.execPath, scene.wrapArgs("odd", ...scene.oddServer), {
    env: scene.env,
    stdio: ["pipe", "pipe", "ignore"],
  })
  let asked = 0
  const say = (message: object) => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  const answered = new Promise<string>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const { id, method } = JSON.parse(line)
      if (id === 1 && method === undefined) {
        say({ method: "notifications/initialized" })
        say({ id: 2, method: "tools/call", params: { name: "echo", arguments: {} } })
      } else if (id === 2 && method === undefined) resolve(line)
      else if (method === "elicitation/create") {
        asked += 1
        say({ id, result: { action: "accept", content: { decision: "approve" } } })
      }
    })
  })
  const clientInfo = { name: "asks", version: "1" }
  const params = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} }, clientInfo }
  say({ id: 1, method: "initialize", params })
  return { answered, asked: () => asked, end: () => void child.stdin.end() }
}

describe("decideInClient, under wrap", { timeout: 60_000 }, () => {
  it("lets an answer given in the client count, recorded as nobody's in particular", async () => {
    scene = await makeScene(configOf(true))
    await scene.serve()
    const client = approvingClient()
    expect(await client.answered).toContain("echo")
    expect(client.asked()).toBe(1)
    expect(scene.calls()).toHaveLength(1)
    const { stdout } = await scene.command("audit", "list", "--json", "--data", scene.data)
    expect(stdout).toContain("client:wrap:odd")
    client.end()
  })

  it("asks nobody there unless it is set, and an answer sent all the same does not count", async () => {
    scene = await makeScene(configOf(false))
    const { url } = await scene.serve()
    const person = await scene.reviewer(url)
    const client = approvingClient()
    const [held] = await waitingCalls(person, 1)
    const token = readFileSync(join(scene.data, "gate-token"), "utf8").trim()
    const sent = await fetch(new URL("/api/gate/answer", url), {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ approval: held?.id, kind: "approve", digest: held?.runDigest }),
    })
    expect(sent.status).toBe(403)
    expect(await statusOf(person, held?.id ?? "")).toBe("pending")
    expect(client.asked()).toBe(0)
    client.end()
  })
})

describe("init --presence none", () => {
  it("writes a configuration in which its reviewer can approve", async () => {
    scene = await makeScene()
    const data = join(scene.data, "other")
    expect((await scene.command("init", "--presence", "none", "--data", data)).code).toBe(0)
    expect(readFileSync(join(data, "byleave.yaml"), "utf8")).toMatch(/^reviewers: \{ presence: none \}$/m)
    const pinned = await scene.command("init", "--presence", "none", "--data", join(scene.data, "third"))
    expect(pinned.stderr).not.toContain("requires a PIN")
  })

  it("writes one in which a call is approved without anything else, by a service that wrap starts", async () => {
    scene = await makeScene()
    const client = scene.wrap()
    await client.open()
    const answer = client.call("echo")
    const service = readServiceFile(scene.data)
    if (service === undefined) throw new Error("no service was started")
    const [held] = await waitingCalls(await scene.reviewer(service.url), 1)
    const approving = await scene.command("approve", held?.id ?? "", "--data", scene.data)
    expect(approving, approving.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("is approved") })
    expect((await answer).result.isError ?? false).toBe(false)
    expect(scene.calls()).toHaveLength(1)
    expect((await scene.command("stop", "--data", scene.data)).code).toBe(0)
  }, 60_000)
})
