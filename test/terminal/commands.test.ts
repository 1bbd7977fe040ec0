import { createServer } from "node:net"
import type { ApprovalView, Client } from "@byleave/api"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { decide, makeScene, type Scene, statusOf, type Wrapped, waitingCalls } from "./wrapping.ts"

let scene: Scene
let person: Client
let client: Wrapped
let url: string

beforeAll(async () => {
  scene = await makeScene()
  ;({ url } = await scene.serve())
  person = await scene.reviewer(url)
})
// A session of its own each: three denials of a tool would refuse it for the rest of one.
beforeEach(async () => {
  client = scene.wrap()
  await client.open()
  await client.ask("tools/list", "{}")
})
afterEach(async () => {
  client.child.stdin?.end()
  await client.ended
})
afterAll(() => scene?.dispose())

const byleave = (...args: readonly string[]) => scene.command(...args, "--data", scene.data)
const json = async (...args: readonly string[]) => JSON.parse((await byleave(...args, "--json")).stdout)

/** Asks for calls that wait, and gives them with their answers, oldest first. One after another: made at once, they may be held in any order. */
async function held(...texts: readonly string[]) {
  const answers: Array<ReturnType<Wrapped["call"]>> = []
  let views: readonly ApprovalView[] = []
  for (const text of texts) {
    answers.push(client.call("echo", JSON.stringify({ text })))
    views = [...(await waitingCalls(person, answers.length))].reverse()
  }
  return { answers, views, ids: views.map(({ id }) => id) }
}

describe("the terminal's commands, against a running service", { timeout: 30_000 }, () => {
  it("pending says that nothing waits, lists what does, shows one in full, and speaks JSON", async () => {
    expect(await byleave("pending")).toMatchObject({ code: 0, stdout: "No waiting calls.\n" })
    const { answers, ids, views } = await held("first", "second")
    const all = await byleave("pending")
    expect(all.stdout).toMatch(/odd\(echo\)[\s\S]*first[\s\S]*odd\(echo\)[\s\S]*second/)
    expect(all.stdout.trim().split("\n")).toHaveLength(3)
    expect((await byleave("pending", "--full")).stdout).toMatch(/asked by[\s\S]*first[\s\S]*asked by[\s\S]*second/)
    const one = await byleave("pending", String(ids[1]).slice(-8))
    expect(one.stdout).toContain("second")
    expect(one.stdout).not.toContain("first")
    expect((await json("pending")).waiting.map(({ id }: ApprovalView) => id)).toEqual(ids)
    expect(await byleave("pending", "zzzzzz")).toMatchObject({ code: 1 })
    for (const view of views) await decide(person, "deny", view)
    await Promise.all(answers)
  })

  it("hides what looks like a secret until --reveal, and approves no such call before", async () => {
    const secret = ["sk", "0123456789abcdefghij"].join("-")
    const { answers, ids } = await held(secret)
    const id = String(ids[0])
    for (const words of [["pending"], ["pending", "--full"], ["pending", id], ["approve", id]]) {
      const { stdout, stderr } = await byleave(...words)
      expect(`${stdout}${stderr}`, words.join(" ")).not.toContain(secret)
      expect(`${stdout}${stderr}`, words.join(" ")).toContain("hidden, 23 characters")
    }
    expect(await byleave("approve", id)).toMatchObject({ code: 1, stderr: expect.stringContaining("Add --reveal") })
    expect(await statusOf(person, id)).toBe("pending")
    expect((await byleave("pending", id, "--reveal")).stdout).toContain(secret)
    expect(await byleave("approve", id, "--reveal")).toMatchObject({ code: 0, stderr: expect.stringContaining(secret) })
    expect((await answers[0])?.result.isError).not.toBe(true)
  })

  it("approve and deny take ends of ids, several at once, and the agent hears the reason", async () => {
    const { answers, ids } = await held("a", "b", "c")
    const [first = "", second = "", third = ""] = ids
    const approved = await byleave("approve", first.slice(-12), second)
    expect(approved.code).toBe(0)
    expect(approved.stdout.replaceAll(/^\w{6,}/gm, "id")).toBe(
      ["a", "b"].map((text) => `id  odd(echo) text: ${text} is approved and running.\n`).join(""),
    )
    expect((await answers[0])?.result.isError).not.toBe(true)
    expect(await byleave("rerun", first)).toMatchObject({
      ...{ code: 1, stderr: expect.stringMatching(/succeeded\. Only calls that failed/) },
    })
    expect((await answers[1])?.result.isError).not.toBe(true)
    const denied = await byleave("deny", third.slice(-10), "--reason", "Not on a Friday.")
    expect(denied).toMatchObject({ code: 0, stdout: "odd(echo) is denied.\n" })
    expect((await answers[2])?.result.content[0]?.text).toContain("Not on a Friday.")
  })

  it("a second, other verdict changes nothing, says so, and fails", async () => {
    const { answers, views } = await held("once")
    const [view] = views
    if (view === undefined) throw new Error("nothing waits")
    const both = await Promise.all([byleave("approve", view.id), byleave("deny", view.id)])
    expect(both.map(({ code }) => code).sort()).toEqual([0, 1])
    const late = both.find(({ code }) => code === 1)
    expect(`${late?.stdout}${late?.stderr}`).toMatch(/was not (approved|denied)|was (approved|denied) by/)
    await Promise.all(answers)
    expect(await byleave("approve", view.id)).toMatchObject({ code: 1, stdout: "" })
  })

  it.each([
    { flags: ["--session"], level: "AllowSession" },
    { flags: ["--session", "--for", "30m"], level: "AllowSession" },
    { flags: ["--always", "--uses", "2"], level: "AllowOnce" },
    { flags: ["--always", "--server"], level: "AllowAlways" },
  ])("approve $flags is remembered, said in words, and can be cleared", async ({ flags, level }) => {
    const { answers, ids } = await held("remember")
    const approved = await byleave("approve", String(ids[0]), ...flags)
    expect(approved.stdout).toContain("Saved:")
    await Promise.all(answers)
    expect((await client.call("echo", '{"text":"again"}')).result.isError).not.toBe(true)
    const { grants } = await json("grants", "list")
    expect(grants).toMatchObject([{ level }])
    expect((await byleave("grants", "clear", "--server", "odd")).code).toBe(0)
    expect((await json("grants", "list")).grants).toEqual([])
  })

  it("policy explain asks the running service: what is remembered, which mode, which servers and tools there are", async () => {
    const before = await json("policy", "explain", "odd", "echo")
    expect(before).toMatchObject({ decision: "ask", asked: { service: url }, pin: "accepted", mode: "ask" })
    const { answers, ids } = await held("remember")
    await byleave("approve", String(ids[0]), "--always")
    await Promise.all(answers)
    const after = await byleave("policy", "explain", "odd", "echo")
    expect(after.stdout).toMatch(/^odd\(echo\) allow\n/)
    expect(after.stdout).toContain(`the running service at ${url}`)
    await byleave("grants", "clear", "--server", "odd")
    expect(await json("policy", "explain", "odd", "echo", "--mode", "unattended")).toMatchObject({ decision: "deny" })
    const server = await byleave("policy", "explain", "od", "echo")
    expect(server).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("Did you mean odd?") })
    const tool = await byleave("policy", "explain", "odd", "ecko")
    expect(tool).toMatchObject({ code: 0, stdout: expect.stringContaining("Did you mean echo?") })
    const file = await json("policy", "explain", "odd", "echo", "--config", scene.config)
    expect(file).toMatchObject({ decision: "ask", asked: { file: scene.config } })
  })

  it("wrong use is 2, and nothing is decided", async () => {
    const { answers, ids, views } = await held("stay")
    const id = String(ids[0])
    for (const flags of [["--session", "--always"], ["--server"], ["--for", "soon"], ["--uses", "0"], ["--nope"]]) {
      expect(await byleave("approve", id, ...flags), flags.join(" ")).toMatchObject({ code: 2 })
    }
    expect(await byleave("approve")).toMatchObject({ code: 2 })
    expect(await statusOf(person, id)).toBe("pending")
    for (const view of views) await decide(person, "deny", view)
    await Promise.all(answers)
  })

  it("a token works until it is revoked", async () => {
    const { secret } = await json("tokens", "add", "robot")
    const post = () =>
      fetch(`${url}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${secret}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      })
    expect((await post()).status).not.toBe(401)
    const list = await byleave("tokens", "list")
    expect(list.stdout).toContain("robot")
    expect(list.stdout).not.toContain(secret)
    expect(await byleave("tokens", "revoke", "robot")).toMatchObject({ code: 0 })
    expect((await post()).status).toBe(401)
    expect((await byleave("tokens", "revoke", "robot")).code).toBe(1)
  })

  it("reviewers come with a link and go", async () => {
    const added = await byleave("reviewers", "add", "ana", "--name", "Ana", "--groups", "ops, leads")
    expect(added.stdout).toMatch(/Ana was added\.[\s\S]*http:\/\/127\.0\.0\.1/)
    expect((await byleave("reviewers", "list")).stdout).toMatch(/ana +Ana +ops, leads/)
    expect(await byleave("reviewers", "remove", "ana")).toMatchObject({ code: 0 })
    expect((await byleave("reviewers", "list")).stdout).not.toContain("Ana")
  })

  it("the audit is listed, verified, and exported as lines and as a table", async () => {
    expect((await byleave("audit", "list", "--limit", "5")).stdout.trim().split("\n")).toHaveLength(5)
    expect(await byleave("audit", "verify")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The audit trail is intact/),
    })
    const lines = (await byleave("audit", "export")).stdout.trim().split("\n")
    expect(lines.map((line) => JSON.parse(line).type)).toContain("approval.denied")
    const csv = (await byleave("audit", "export", "--format", "csv")).stdout
    expect(csv.startsWith("at,type,subject,writer,seq,hash,body,payload\r\n")).toBe(true)
    expect(await byleave("audit", "export", "--format", "xml")).toMatchObject({ code: 2 })
  })

  it.each([
    { words: ["tokens", "revoke", "nope"], says: "No token nope." },
    { words: ["tokens", "add", ""], says: "needs a name" },
    { words: ["tokens", "add", "no spaces"], says: "Use letters, digits" },
    { words: ["deny", "x", "--reason", "x".repeat(3_000)], says: "at most 2000 characters" },
  ])("says what is wrong with $words.0 $words.1, and nothing of routes", async ({ words, says }) => {
    const { code, stderr } = await byleave(...words)
    expect(code).not.toBe(0)
    expect(stderr).toContain(says)
  })

  it("rerun takes what is unknown up again, as a new approval", async () => {
    const answer = client.call("die")
    const [view] = await waitingCalls(person, 1)
    if (view === undefined) throw new Error("nothing waits")
    await decide(person, "approve", view)
    await answer
    expect(await statusOf(person, view.id)).toBe("unknown")
    expect(await byleave("rerun", view.id)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Approved again"),
    })
    expect(await byleave("rerun", "zzzzzz")).toMatchObject({ code: 1 })
  })

  it("rerun approves nothing that was not there to be seen", async () => {
    const answer = client.call("die", '{"password":"hunter2"}')
    const [view] = await waitingCalls(person, 1)
    if (view === undefined) throw new Error("nothing waits")
    await decide(person, "approve", view)
    await answer
    const hidden = await byleave("rerun", view.id)
    expect(hidden).toMatchObject({ code: 1, stderr: expect.stringContaining("Add --reveal") })
    expect(hidden.stdout + hidden.stderr).not.toContain("hunter2")
    const seen = await byleave("rerun", view.id, "--reveal")
    expect(seen).toMatchObject({ code: 0, stderr: expect.stringContaining("hunter2") })
  })

  it("nobody listening is 3", async () => {
    const port = await freePort()
    for (const words of [["pending"], ["approve", "abcdef"], ["grants", "list"], ["audit", "verify"]]) {
      const { code, stderr } = await byleave(...words, "--url", `http://127.0.0.1:${port}`)
      expect(code, words.join(" ")).toBe(3)
      expect(stderr).toContain("byleave serve")
    }
  })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === "object" && address !== null ? address.port : 0
}
