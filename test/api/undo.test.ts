/** Files put back as they were before a call changed them: the real service before a real server. */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Client as Api, createClient, newDeviceKey, shownDigest, signProof, undoDigest } from "@byleave/api"
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
  shared:
    command: ${JSON.stringify(process.execPath)}
    args: [${JSON.stringify(filesystem)}, ${JSON.stringify(workspace)}]
policy: { rules: [{ allow: "*(read_*)" }, { ask: "shared(write_file)", approvals: 2 }] }
reviewers: { presence: none }
agents: { anonymous: true }
`

describe("put it back", { timeout: 60_000 }, () => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "byleave-workspace-")))
  const at = (name: string): string => join(workspace, name)
  let place: Place
  let api: Api
  let agent: LegacyAgent
  let address: string

  beforeAll(async () => {
    place = makePlace(config(workspace))
    await place.command("init", "--presence", "none", "--data", place.data)
    const { url } = await place.serve()
    address = url
    api = await place.reviewer(url)
    agent = await legacyAgent(`${url}/mcp/files`)
  }, 60_000)

  afterAll(async () => {
    await place?.dispose()
    rmSync(workspace, { recursive: true, force: true })
  })

  const viewOf = async (id: string) => must(await api.getApproval({ params: { id } }))
  const undoOf = async (id: string) => must(await api.previewUndo({ params: { id } }))

  /** Asked, shown with what the file holds, approved and run. */
  async function ran(tool: string, args: object, isShown = true): Promise<string> {
    const reply = agent.call(tool, args)
    const [held] = await waitingCalls(api, 1)
    if (held === undefined) throw new Error("nothing waits")
    if (isShown) must(await api.currentContent({ params: { id: held.id } }))
    must(await answerCall(api, held.id, { kind: "approve" }))
    await reply
    return held.id
  }

  it.each([
    { tool: "write_file", name: "written.txt", more: { content: "new\n" }, left: "new\n" },
    {
      tool: "edit_file",
      name: "edited.txt",
      more: { edits: [{ oldText: "old", newText: "new" }] },
      left: "new text\n",
    },
  ])(
    "I3: a file that $tool changed is shown with its difference and written back by a call that names it",
    async (each) => {
      const path = at(each.name)
      writeFileSync(path, "old text\n")
      const id = await ran(each.tool, { path, ...each.more })
      expect(readFileSync(path, "utf8")).toBe(each.left)
      expect((await viewOf(id)).readBefore).toEqual(expect.any(Number))
      const undo = await undoOf(id)
      if (undo.kind !== "ready") throw new Error(JSON.stringify(undo))
      expect(undo).toMatchObject({ path, now: each.left, before: "old text\n", args: { path, content: "old text\n" } })
      expect(undo.tool).toEqual({ server: "files", tool: "write_file" })
      const params = { id }
      const other = { digest: await undoDigest(id, { ...undo, args: { path, content: "else" } }) }
      expect(codeOf(await api.undoApproval({ params, body: other }))).toBe("digest-mismatch")
      expect(readFileSync(path, "utf8")).toBe(each.left)
      const { approval } = must(await api.undoApproval({ params, body: { digest: await undoDigest(id, undo) } }))
      expect(approval).toMatchObject({ status: "succeeded", undoOf: id })
      expect(readFileSync(path, "utf8")).toBe("old text\n")
      const { items } = must(await api.listCalls({ query: { tool: "write_file", limit: 5 } }))
      expect(items[0]).toMatchObject({ id: approval.id, outcome: "succeeded" })
      expect(items[0]).not.toHaveProperty("forCard")
      expect(await undoOf(id)).toEqual({ kind: "unavailable", why: "The file holds its former content already." })
    },
  )

  it("I2: it is put back once, however often at the same moment", async () => {
    const path = at("raced.txt")
    writeFileSync(path, "old")
    const id = await ran("write_file", { path, content: "new" })
    const ready = await undoOf(id)
    if (ready.kind !== "ready") throw new Error(JSON.stringify(ready))
    const body = { digest: await undoDigest(id, ready) }
    const answers = await Promise.all([1, 2, 3, 4].map(() => api.undoApproval({ params: { id }, body })))
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
    expect(answers.flatMap((answer) => (answer.ok ? [] : [codeOf(answer)]))).toEqual(Array(3).fill("cannot-undo"))
    expect(readFileSync(path, "utf8")).toBe("old")
  })

  it("I1: a file that changed since is not put back, and the difference can be seen", async () => {
    const path = at("changed.txt")
    writeFileSync(path, "old")
    const id = await ran("write_file", { path, content: "new" })
    const ready = await undoOf(id)
    if (ready.kind !== "ready") throw new Error(JSON.stringify(ready))
    writeFileSync(path, "by hand")
    expect(await undoOf(id)).toEqual({ kind: "changed", path, written: "new", now: "by hand" })
    const body = { digest: await undoDigest(id, ready) }
    expect(codeOf(await api.undoApproval({ params: { id }, body }))).toBe("cannot-undo")
    expect(readFileSync(path, "utf8")).toBe("by hand")
  })

  it("I1: a file that changed before a second reviewer said yes is not put back", async () => {
    must(await api.addReviewer({ body: { id: "bob", name: "Bob", groups: [], pin: "four five six" } as never }))
    const { link } = must(await api.mintLink({ body: { reviewer: "bob" } }))
    const key = await newDeviceKey({ extractable: false })
    const bob = createClient({ url: address, sign: (request) => signProof({ key, ...request, now: Date.now() }) })
    must(await bob.signIn({ body: { link, jwk: key.jwk, name: "bob", pin: "four five six" } as never }))
    const path = at("shared.txt")
    writeFileSync(path, "old")
    const reply = (await legacyAgent(`${address}/mcp/shared`)).call("write_file", { path, content: "new" })
    const [held] = await waitingCalls(api, 1)
    if (held === undefined) throw new Error("nothing waits")
    must(await api.currentContent({ params: { id: held.id } }))
    for (const reviewer of [api, bob]) must(await answerCall(reviewer, held.id, { kind: "approve" }))
    await reply
    const undo = await undoOf(held.id)
    if (undo.kind !== "ready") throw new Error(JSON.stringify(undo))
    const body = { digest: await undoDigest(held.id, undo) }
    const { approval } = must(await api.undoApproval({ params: { id: held.id }, body }))
    expect(approval.status).toBe("pending")
    must(await answerCall(bob, approval.id, { kind: "approve" }))
    const runNow = async () =>
      bob.runApprovalNow({
        params: { id: approval.id },
        body: { digest: await shownDigest(await viewOf(approval.id)) },
      })
    writeFileSync(path, "by hand")
    expect(codeOf(await runNow())).toBe("cannot-undo")
    expect(readFileSync(path, "utf8")).toBe("by hand")
    writeFileSync(path, "new")
    expect(must(await runNow()).approval.status).toBe("succeeded")
    expect(readFileSync(path, "utf8")).toBe("old")
  })

  it("says why where there is nothing to put back", async () => {
    const created = await ran("write_file", { path: at("created.txt"), content: "new" })
    expect(await undoOf(created)).toMatchObject({ kind: "unavailable", why: expect.stringContaining("did not exist") })
    writeFileSync(at("large.txt"), "x".repeat(300_000))
    const large = await ran("write_file", { path: at("large.txt"), content: "new" })
    expect(await undoOf(large)).toMatchObject({ kind: "unavailable", why: expect.stringContaining("too large") })
    writeFileSync(at("latin1.txt"), Buffer.from("caf\u00e9", "latin1"))
    const bytes = await ran("write_file", { path: at("latin1.txt"), content: "new" })
    expect(await undoOf(bytes)).toMatchObject({ kind: "unavailable", why: expect.stringContaining("not valid UTF-8") })
    writeFileSync(at("unseen.txt"), "old")
    const unseen = await ran("write_file", { path: at("unseen.txt"), content: "new" }, false)
    expect((await viewOf(unseen)).readBefore).toBeUndefined()
    expect(await undoOf(unseen)).toMatchObject({ kind: "unavailable", why: expect.stringContaining("was not read") })
  })
})
