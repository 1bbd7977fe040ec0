/** Approved calls whose agents went away, run on a reviewer's word: the real service, a real server, the API and the terminal. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Client as Api, shownDigest } from "@byleave/api"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makePlace, type Place } from "../../apps/cli/src/service/fixtures/service-process.ts"
import { waitingCalls } from "../terminal/wrapping.ts"
import { answerCall } from "./answer-call.ts"
import { type LegacyAgent, legacyAgent } from "./legacy-agent.ts"
import { codeOf, must } from "./open-service.ts"

const filesystem = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", import.meta.url),
)
const config = (workspace: string) => `version: 1
servers:
  files:
    command: ${JSON.stringify(process.execPath)}
    args: [${JSON.stringify(filesystem)}, ${JSON.stringify(workspace)}]
reviewers: { presence: none }
agents: { anonymous: true }
`

describe("run it now", { timeout: 60_000 }, () => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "byleave-workspace-")))
  const at = (name: string): string => join(workspace, name)
  let place: Place
  let api: Api
  let agent: LegacyAgent

  beforeAll(async () => {
    place = makePlace(config(workspace))
    await place.command("init", "--presence", "none", "--data", place.data)
    const { url } = await place.serve()
    api = await place.reviewer(url)
    agent = await legacyAgent(`${url}/mcp/files`)
  }, 60_000)

  afterAll(async () => {
    await place?.dispose()
    rmSync(workspace, { recursive: true, force: true })
  })

  const viewOf = async (id: string) => must(await api.getApproval({ params: { id } }))

  /** Approved once its agent's connection broke. */
  async function permitFor(name: string): Promise<string> {
    const gone = new AbortController()
    const asked = agent.call("write_file", { path: at(name), content: name }, gone.signal).catch(() => "")
    const [held] = await waitingCalls(api, 1)
    if (held === undefined) throw new Error("nothing waits")
    gone.abort()
    await asked
    await expect.poll(async () => (await viewOf(held.id)).callerWaits).toBe(false)
    must(await answerCall(api, held.id, { kind: "approve" }))
    return held.id
  }

  const byleave = (...args: readonly string[]) => place.command(...args, "--data", place.data)

  it("runs once by the API, bound to what was shown, and the agent gets the result by repeating the call", async () => {
    const id = await permitFor("api.txt")
    const shown = await viewOf(id)
    expect(shown.runNowOffer).toEqual({ why: null })
    const params = { id }
    const other = { digest: await shownDigest({ ...shown, args: { path: at("other.txt"), content: "" } }) }
    expect(codeOf(await api.runApprovalNow({ params, body: other }))).toBe("digest-mismatch")
    expect(existsSync(at("api.txt"))).toBe(false)
    const body = { digest: await shownDigest(shown) }
    const { reviewer } = must(await api.me())
    const { approval } = must(await api.runApprovalNow({ params, body }))
    expect(approval).toMatchObject({ status: "succeeded", delivered: false, runNow: { by: reviewer.id } })
    expect(readFileSync(at("api.txt"), "utf8")).toBe("api.txt")
    expect(codeOf(await api.runApprovalNow({ params, body }))).toBe("not-approved")
    const back = await agent.call("write_file", { path: at("api.txt"), content: "api.txt" })
    expect(back).toContain("A reviewer had this call run while you were away")
    expect((await viewOf(id)).runNowOffer).toBeUndefined()
    await expect.poll(async () => await viewOf(id)).toMatchObject({ delivered: true })
  })

  it("runs by the terminal, which says what became of it", async () => {
    const id = await permitFor("terminal.txt")
    const { code, stdout, stderr } = await byleave("run-now", id.slice(-8))
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("ran and succeeded") })
    expect(stderr).toContain("terminal.txt")
    expect(readFileSync(at("terminal.txt"), "utf8")).toBe("terminal.txt")
    expect(await byleave("run-now", id)).toMatchObject({ code: 1, stderr: expect.stringContaining("Only an approved") })
  })

  it("is not offered while its server is stopped, and the permit stays", async () => {
    const id = await permitFor("stopped.txt")
    must(await api.stopServer({ params: { id: "files" } }))
    const shown = await viewOf(id)
    expect(shown.runNowOffer).toEqual({ why: "files is stopped. Start it on the Servers page first." })
    const body = { digest: await shownDigest(shown) }
    expect(codeOf(await api.runApprovalNow({ params: { id }, body }))).toBe("cannot-run-now")
    expect(await viewOf(id)).toMatchObject({ status: "approved" })
    must(await api.startServer({ params: { id: "files" } }))
    expect(must(await api.runApprovalNow({ params: { id }, body })).approval.status).toBe("succeeded")
  })
})
