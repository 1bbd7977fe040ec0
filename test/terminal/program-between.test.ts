/**
 * A program between the terminal and its service, at an address that the service answers for: it shows one call and wants another approved.
 * What runs is what was shown, or nothing.
 */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { ApprovalView, Client, GrantView, SessionView } from "@byleave/api"
import { Client as Agent, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { makePlace, type Place } from "../../apps/cli/src/service/fixtures/service-process.ts"
import { answerCall } from "../api/answer-call.ts"
import { atTerminal, hasTerminals } from "./at-terminal.ts"
import { type Exchanged, openProxyBefore, type ProxyBefore } from "./proxy-before.ts"

const filesystem = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", import.meta.url),
)

describe("a program between the terminal and the service", { timeout: 30_000 }, () => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), "byleave-between-")))
  const at = (name: string): string => join(workspace, name)
  let place: Place
  let proxy: ProxyBefore
  let person: Client
  let agent: Agent
  let url = ""

  beforeAll(async () => {
    place = makePlace("")
    proxy = await openProxyBefore(() => url)
    place.write(`version: 1
servers:
  files: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(filesystem)}, ${JSON.stringify(workspace)}] }
hosts: ["127.0.0.1:${proxy.port}"]
limits: { denials: { count: 100, within: 1m } }
agents: { anonymous: true }
reviewers: { presence: none }
`)
    await place.command("init", "--presence", "none", "--data", place.data)
    ;({ url } = await place.serve())
    person = await place.reviewer(url)
    agent = new Agent({ name: "agent", version: "1" })
    await agent.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/files`)))
  }, 30_000)

  afterEach(async () => {
    proxy.meddle({})
    for (const { id } of await waiting()) await answerCall(person, id, { kind: "deny" })
    const grants = await person.listGrants()
    expect(grants.ok && grants.value.items).toEqual([])
  })

  afterAll(async () => {
    await agent?.close().catch(() => undefined)
    await proxy?.close()
    await place?.dispose()
    rmSync(workspace, { recursive: true, force: true })
  })

  async function waiting() {
    const found = await person.listApprovals({ query: { status: "pending" } })
    if (!found.ok) throw new Error(found.problem.detail)
    return found.value.items
  }

  /** A call that waits, as the service shows it to whoever asks it directly. */
  async function held(name: string, content: string): Promise<ApprovalView> {
    const before = new Set((await waiting()).map(({ id }) => id))
    agent.callTool({ name: "write_file", arguments: { path: at(name), content } }).catch(() => undefined)
    for (let tries = 0; tries < 500; tries++) {
      const id = (await waiting()).find((each) => !before.has(each.id))?.id
      const read = id === undefined ? undefined : await person.getApproval({ params: { id } })
      if (read?.ok) return read.value
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    throw new Error("the call does not wait")
  }

  const byleave = (...args: readonly string[]) => place.command(...args, "--data", place.data, "--url", proxy.url)

  /** What is true of one call, told as if it were of the other: only what the service knows them by stays. */
  const disguised = (real: ApprovalView, shown: ApprovalView) => ({
    ...shown,
    id: real.id,
    callDigest: real.callDigest,
    runDigest: real.runDigest,
  })

  const ofApproval = /^\/api\/approvals\/([^/?]+)$/

  /** Shows `shown` wherever the service says `real`, in lists, by itself, or both. */
  function disguise(real: ApprovalView, shown: ApprovalView, where: ReadonlyArray<"list" | "single">): void {
    // A list has less of each call; of that, everything is told as if it were the other's.
    const of = (view: object & { readonly id: string }) => {
      if (view.id !== real.id) return view
      const other: Record<string, unknown> = disguised(real, shown)
      const preview = Object.entries(shown.args ?? {}).map(([name, value]) => ({
        ...{ name, text: String(value), isSecret: false },
      }))
      const told = Object.entries(view).map(([key, value]) => [
        key,
        typeof value === "string" ? (other[key] ?? value) : value,
      ])
      return { ...Object.fromEntries(told), preview }
    }
    proxy.meddle({
      answer: ({ path, answer }) => {
        if (where.includes("single") && ofApproval.exec(path)?.[1] === real.id) return disguised(real, shown)
        if (!where.includes("list") || !path.startsWith("/api/approvals?")) return undefined
        const page = answer as { readonly items: ReadonlyArray<object & { readonly id: string }> }
        return { ...page, items: page.items.map(of) }
      },
    })
  }

  it("that changes nothing is no hindrance: what was shown is approved, and runs", async () => {
    const fine = await held("passed.txt", "fine")
    const approved = await byleave("approve", fine.id)
    expect(approved, approved.stderr).toMatchObject({ code: 0 })
    expect(approved.stderr).toContain(at("passed.txt"))
    await expect.poll(() => existsSync(at("passed.txt"))).toBe(true)
    expect(readFileSync(at("passed.txt"), "utf8")).toBe("fine")
  })

  it("cannot have another call approved than is shown: not by lists, not by the call itself, not with its digests", async () => {
    const evil = await held("evil.txt", "rm -rf")
    const fine = { ...evil, args: { path: at("notes.txt"), content: "harmless" }, argsText: null }
    for (const where of [["list", "single"], ["single"]] as const) {
      disguise(evil, fine, where)
      const approved = await byleave("approve", evil.id)
      expect(approved.stderr).toContain("harmless")
      expect(approved).toMatchObject({ code: 1, stdout: expect.stringContaining("differs from what you were shown") })
    }
    // What lists say is not what is decided on: the call itself is shown.
    disguise(evil, fine, ["list"])
    const denied = await byleave("approve", evil.id, "--json")
    expect(denied.stderr).toContain("rm -rf")
    expect(denied.stderr).not.toContain("harmless")
    expect(denied.code).toBe(0)
    await expect.poll(() => existsSync(at("evil.txt"))).toBe(true)
  })

  it("cannot change the answer on its way: neither the call, nor what is remembered", async () => {
    const evil = await held("later.txt", "x")
    const fine = await held("meant.txt", "y")
    const verdicts = (change: (verdict: Record<string, unknown>) => object) => (path: string, body: string) =>
      path === "/api/verdicts" ? JSON.stringify({ verdicts: JSON.parse(body).verdicts.map(change) }) : undefined
    const breadth = { kind: "server", server: "files", access: "all" }
    for (const change of [
      (verdict: object) => ({ ...verdict, approval: evil.id }),
      (verdict: object) => ({ ...verdict, remember: { scope: "always", breadth } }),
    ]) {
      proxy.meddle({ request: verdicts(change) })
      const answered = await byleave("deny", fine.id, "--reason", "no")
      expect(answered).toMatchObject({ code: 1, stderr: expect.stringContaining("Invalid proof") })
    }
    expect((await waiting()).map(({ id }) => id).sort()).toEqual([evil.id, fine.id].sort())
  })

  /** A no that is told as if it were a yes to something harmless, or for one agent; whatever words go with it. */
  const grantDisguises: Readonly<Record<string, (grant: GrantView) => object>> = {
    "as a yes": (grant) => ({ ...grant, effect: "allow" }),
    "about another tool": (grant) => ({ ...grant, breadth: { kind: "tool", server: "files", tool: "read_file" } }),
    "for one agent": (grant) => ({ ...grant, session: { principal: "agent", id: "s1" } }),
  }

  it.each(Object.entries(grantDisguises))("cannot have a no forgotten that is shown %s", async (_, disguise) => {
    const breadth = { kind: "tool", server: "files", tool: "write_file" } as const
    const added = await person.addGrant({ body: { effect: "deny", breadth } })
    if (!added.ok) throw new Error(added.problem.detail)
    const no = added.value
    proxy.meddle({
      answer: ({ path, answer }) =>
        path === "/api/grants" && "items" in (answer as object) ? { items: [disguise(no)] } : undefined,
    })
    const notShown = { code: 1, stderr: expect.stringContaining("differs from what you were shown") }
    expect(await byleave("grants", "revoke", no.id)).toMatchObject(notShown)
    expect(await byleave("grants", "clear", "--server", "files")).toMatchObject(notShown)
    // Words alone are not believed: those that are shown are made of what is forgotten.
    proxy.meddle({
      answer: ({ path }) => (path === "/api/grants" ? { items: [{ ...no, words: "Allow harmless" }] } : undefined),
    })
    const told = await byleave("grants", "list")
    expect(told.stdout).toContain("For every agent, always deny files(write_file)")
    expect(told.stdout).not.toContain("harmless")
    proxy.meddle({})
    expect(await byleave("grants", "revoke", no.id)).toMatchObject({ code: 0 })
  })

  it("cannot have another session's mode set than is shown", async () => {
    await held("mode.txt", "x")
    const sessions = await person.listSessions()
    const session = sessions.ok ? sessions.value.items[0] : undefined
    if (session === undefined) throw new Error("there is no session")
    const told: Partial<SessionView> = { label: "my own tests", client: "editor", folder: "/home/me/site" }
    proxy.meddle({
      answer: ({ path }) => (path.startsWith("/api/sessions?") ? { items: [{ ...session, ...told }] } : undefined),
    })
    const set = await byleave("sessions", "mode", session.id, "--to", "autonomous")
    expect(set).toMatchObject({ code: 1, stderr: expect.stringContaining("differs from what you were shown") })
    expect(set.stderr).toContain("my own tests")
    const after = await person.listSessions()
    expect(after.ok && after.value.items).toMatchObject([{ id: session.id, mode: "ask" }])
    proxy.meddle({})
    expect(await byleave("sessions", "mode", session.id, "--to", "autonomous")).toMatchObject({ code: 0 })
    expect(await byleave("sessions", "mode", session.id, "--to", "ask")).toMatchObject({ code: 0 })
  })

  it("cannot have another configuration saved than the rule that is shown: not by its text, not by words, not on the way", async () => {
    const before = readFileSync(place.config, "utf8")
    const wider = `${before}policy: { rules: [{ allow: "files(*)" }] }\n`
    const suggested = (rule: string, replaces: readonly string[] = []) => ({
      ...{ id: "3f9c1a20b7de", rule, words: "Deny something harmless.", effect: "deny", replaces },
      ...{ tool: { server: "files", tool: "read_file" }, agent: null, evidence: [], also: [], waiting: [] },
      ...{ approved: 0, denied: 9, sessions: 4, days: 6, agents: 1, saves: 7, narrows: null },
    })
    const week = { asked: 0, approved: 0, denied: 0, saved: 0, tools: [] }
    const lying =
      (rule: string) =>
      ({ path, answer }: Exchanged) => {
        if (path.startsWith("/api/policy/suggestions")) return { items: [suggested(rule)], isCut: false, week }
        if (path === "/api/policy/text") return { ...(answer as object), text: wider }
        return path === "/api/policy/add-rule" ? { text: wider } : undefined
      }
    const accept = () => byleave("policy", "suggest", "--accept", "3f9c1a20b7de")
    const rule = '- deny: "files(move_file)"'
    proxy.meddle({
      answer: lying(rule),
      request: (path, body) =>
        path === "/api/policy/rules" ? body.replace("deny", "allow").replace("move_file", "*") : undefined,
    })
    expect(await accept()).toMatchObject({ code: 1 })
    expect(readFileSync(place.config, "utf8")).toBe(before)
    proxy.meddle({ answer: lying(rule) })
    const accepted = await accept()
    expect(accepted, accepted.stderr).toMatchObject({ code: 0, stdout: "Added: Deny files(move_file)\n" })
    expect(accepted.stderr).toContain(`Add:\n    ${rule}\n`)
    expect(readFileSync(place.config, "utf8")).toBe(`${before}policy:\n  rules:\n    ${rule}\n`)
    proxy.meddle({ answer: lying("deny: files\nallow: files") })
    expect(await accept()).toMatchObject({ code: 1, stderr: expect.stringContaining("cannot read as a rule") })
  })

  it.skipIf(!hasTerminals)("cannot have another call approved than byleave watch shows", async () => {
    const evil = await held("watched.txt", "rm -rf")
    disguise(evil, { ...evil, args: { path: at("notes.txt"), content: "harmless" } }, ["list", "single"])
    const watched = await atTerminal(
      ["watch", "--data", place.data, "--url", proxy.url],
      [
        [/ {4}content: harmless/, "a"],
        [/y: yes/, "y"],
        [/differs from what you were shown/, "q"],
      ],
    )
    expect(watched, watched.shown).toMatchObject({ code: 0 })
    expect(watched.shown).not.toContain("rm -rf")
    expect(await waiting()).toMatchObject([{ id: evil.id }])
    expect(existsSync(at("watched.txt"))).toBe(false)
  })
})
