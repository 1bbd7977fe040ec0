/** A gate token tells of a server's name before the service uses it: agents are told nothing of that. */
import { gatePaths } from "@byleave/api"
import { afterEach, describe, expect, it } from "vitest"
import { decide, makeScene, type Scene, waitingCalls } from "./wrapping.ts"

let scene: Scene
afterEach(() => scene.dispose())

const config = (servers = "") => `version: 1
${servers}policy:
  rules:
    - allow: "odd(surroundings)"
reviewers: { presence: none }
agents: { anonymous: true }
`

const hello = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "lines", version: "1" } }

/** Another program's words for the server `odd`, told before it is there. */
async function planted() {
  scene = await makeScene(config())
  const { url } = await scene.serve()
  const person = await scene.reviewer(url)
  const made = await person.addToken({ body: { id: "other", kind: "gate" } })
  if (!made.ok) throw new Error(made.problem.detail)
  const post = async (path: string, body: object): Promise<number> => {
    const headers = { authorization: `Bearer ${made.value.secret}`, "content-type": "application/json" }
    return (await fetch(url + path, { method: "POST", headers, body: JSON.stringify({ server: "odd", ...body }) }))
      .status
  }
  const tell = (description: string): Promise<number> =>
    post(gatePaths.tools, { tools: [{ name: "surroundings", description, inputSchema: { type: "object" } }] })
  expect(await post(gatePaths.instructions, { instructions: "PLANTED" })).toBe(200)
  expect(await tell("PLANTED")).toBe(200)
  return { url, person, tell }
}

describe("what another token told under a name", { timeout: 60_000 }, () => {
  it("is gone when the server is wrapped, whose allowed calls run whatever is told from then on", async () => {
    const { person, tell } = await planted()
    const wrapped = scene.wrap()
    expect((await wrapped.ask("initialize", JSON.stringify(hello))).text).not.toContain("PLANTED")
    const { text, result } = await wrapped.ask("tools/list", "{}")
    expect(text).not.toContain("PLANTED")
    expect(result.tools.map(({ name }) => name)).toContain("surroundings")
    for (const words of ["one", "two", "three"]) {
      expect(await tell(words)).toBe(409)
      expect((await wrapped.call("surroundings")).result.isError ?? false).toBe(false)
    }
    const waiting = await person.listPins({ query: { server: "odd", waiting: "true" } })
    expect(waiting.ok && waiting.value.items).toEqual([])
  })

  it("is gone when the server is configured", async () => {
    const { url, person } = await planted()
    const [command, ...args] = scene.oddServer
    scene.write(config(`servers:\n  odd: ${JSON.stringify({ command, args })}\n`))
    const [change] = await waitingCalls(person, 1)
    await decide(person, "approve", { id: change?.id ?? "" })
    let session: string | null = null
    const ask = async (method: string, params: object): Promise<Response> => {
      const headers = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...(session === null ? {} : { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }),
      }
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
      return fetch(`${url}/mcp/odd`, { method: "POST", headers, body })
    }
    await expect.poll(async () => (await ask("initialize", hello)).status, { timeout: 20_000 }).toBe(200)
    const opened = await ask("initialize", hello)
    session = opened.headers.get("mcp-session-id")
    expect(await opened.text()).not.toContain("PLANTED")
    const listed = await (await ask("tools/list", {})).text()
    expect(listed).toContain('"surroundings"')
    expect(listed).not.toContain("PLANTED")
  })
})
