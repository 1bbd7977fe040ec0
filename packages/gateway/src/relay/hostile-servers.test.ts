/** Servers that mean ill, and agents that help them: what policy says holds in both eras, and nobody hears what is another's. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, describe, expect, it } from "vitest"
import type { Notice } from "../wire/message.ts"
import {
  approve,
  ask,
  callOf,
  legacyCaller,
  modernCaller,
  nextHeld,
  nodeServer,
  openRelay,
  policyOf,
  type Relay,
  type RelaySetting,
  resultOf,
  rule,
  textOf,
  withTasks,
} from "./fixtures/open-relay.ts"

const main = fileURLToPath(new URL("./fixtures/sly-server.ts", import.meta.url))
const opened: Relay[] = []
afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.close()
})

async function open(args: readonly string[], rules: Parameters<typeof policyOf>[0], setting: RelaySetting = {}) {
  const relay = await openRelay([nodeServer("sly", [main, ...args])], { policy: policyOf(rules), ...setting })
  opened.push(relay)
  return { ...relay, backend: relay.backend("sly") }
}

const samples = { sampling: {} }

describe("a rule about sampling", () => {
  it("holds between a modern client and a modern server: a denied question never reaches the client", async () => {
    const { backend } = await open(["modern"], [rule("allow", "sly(*)"), rule("deny", "sly(sampling)")])
    const reply = await ask(backend, modernCaller({ abilities: samples }), callOf("sample")).reply
    expect(JSON.stringify(reply)).not.toContain("sampling/createMessage")
  })

  it("holds when the question comes from a server's task, also one that is older than the rule", async () => {
    const allowed = rule("allow", "sly(*)")
    const denied = rule("deny", "sly(sampling)")
    const { backend, gate } = await open(["modern"], [allowed])
    const caller = modernCaller({ abilities: { ...samples, ...withTasks } })
    const created = await resultOf(ask(backend, caller, callOf("sample-task")))
    expect(JSON.stringify(created)).toContain("sampling/createMessage")
    await gate.replacePolicy(policyOf([allowed, denied]), null)
    const polled = await ask(backend, caller, { method: "tasks/get", params: { taskId: String(created.taskId) } }).reply
    expect(polled).toMatchObject({ kind: "result", result: { status: "input_required" } })
    expect(JSON.stringify(polled)).not.toContain("sampling/createMessage")
    const next = await ask(backend, caller, callOf("sample-task")).reply
    expect(JSON.stringify(next)).not.toContain("sampling/createMessage")
  })
})

describe("a definition", () => {
  it("that one connection lists otherwise is not covered by what another connection lists", async () => {
    const { backend, gate } = await open(["legacy", "two-faced"], [rule("allow", "sly(*)")])
    const plain = legacyCaller()
    const asked = legacyCaller({ conversation: "c2", abilities: { elicitation: {} } })
    await resultOf(ask(backend, plain, { method: "tools/list" }))
    const { tools } = await resultOf(ask(backend, asked, { method: "tools/list" }))
    expect(JSON.stringify(tools)).toContain('"as accepted"')
    expect(JSON.stringify(tools)).not.toContain('"changed"')
    // A third connection lists what was accepted; the gate is told that last.
    const third = legacyCaller({ conversation: "c3", version: "2025-06-18" })
    await resultOf(ask(backend, third, { method: "tools/list" }))
    const held = nextHeld(gate)
    const call = ask(backend, asked, callOf("tool"))
    const first = await Promise.race([held.then(() => "held"), call.reply.then(() => "ran")])
    expect(first).toBe("held")
    expect(textOf(await resultOf(ask(backend, plain, callOf("tool"))))).toContain("ran")
  })

  it.each(["allow", "ask"] as const)(
    "that has changed with a new start of the server is not run on an %s of the one before",
    async (effect) => {
      const folder = mkdtempSync(join(tmpdir(), "byleave-anew-"))
      const rules = [rule("allow", "sly(exit)"), rule(effect, "sly(tool)")]
      const { backend, gate } = await open(["legacy", "starts-anew", join(folder, "started")], rules)
      const caller = legacyCaller()
      await resultOf(ask(backend, caller, { method: "tools/list" }))
      const held = nextHeld(gate)
      const waiting = effect === "ask" ? ask(backend, caller, callOf("tool")) : null
      const approval = waiting === null ? null : await held
      await ask(backend, legacyCaller({ conversation: "c2" }), callOf("exit")).reply
      if (approval !== null) await approve(gate, approval)
      const again = nextHeld(gate)
      const call = waiting ?? ask(backend, caller, callOf("tool"))
      const end = await Promise.race([again.then(() => "held"), call.reply.then((reply) => JSON.stringify(reply))])
      if (effect === "allow") expect(end).toBe("held")
      else expect(end).toContain("Nothing was sent")
      rmSync(folder, { recursive: true })
    },
  )

  it("that has changed is not run on a yes to the one before, though it is not pinned and the new one is listed by now", async () => {
    const folder = mkdtempSync(join(tmpdir(), "byleave-anew-"))
    const rules = [rule("allow", "sly(exit)"), rule("ask", "sly(tool)")]
    const policy = policyOf(rules, { servers: [{ id: "sly", trust: "none", pin: "off" }] })
    const { backend, gate } = await open(["legacy", "starts-anew", join(folder, "started")], rules, { policy })
    const held = nextHeld(gate)
    const call = ask(backend, legacyCaller(), callOf("tool"))
    const approval = await held
    const other = legacyCaller({ conversation: "c2" })
    await ask(backend, other, callOf("exit")).reply
    expect(JSON.stringify(await resultOf(ask(backend, other, { method: "tools/list" })))).toContain('"changed"')
    await approve(gate, approval)
    expect(JSON.stringify(await call.reply)).toContain("Nothing was sent")
    rmSync(folder, { recursive: true })
  })

  it("is shown to a caller only as the gate has seen it: a name listed twice is listed once", async () => {
    const { backend, store } = await open(["legacy", "twins"], [rule("allow", "sly(*)")])
    const { tools } = await resultOf(ask(backend, legacyCaller(), { method: "tools/list" }))
    const listed = (tools as ReadonlyArray<{ name: string; description: string }>).filter(({ name }) => name === "tool")
    const pin = (await store.decisionState()).pins.find(({ tool }) => tool === "tool")
    expect(listed.map(({ description }) => description)).toEqual([pin?.accepted?.definition.description])
  })
})

describe("a result", () => {
  it("of a legacy server is its answer, though it uses a word of the modern era", async () => {
    const { backend, gate } = await open(["legacy"], [])
    const held = nextHeld(gate)
    const call = ask(backend, legacyCaller(), callOf("modern-words"))
    const approval = await held
    await approve(gate, approval)
    expect(textOf(await resultOf(call))).toContain("done")
    expect(await gate.approval(approval.id)).toMatchObject({ status: "succeeded" })
  })

  it("of a modern server that asks for nothing is not asked for again, and nobody can tell what became of it", async () => {
    const { backend, gate } = await open(["modern"], [])
    const held = nextHeld(gate)
    const call = ask(backend, legacyCaller(), callOf("asks-nothing"))
    const approval = await held
    await approve(gate, approval)
    await call.reply
    expect(await gate.approval(approval.id)).toMatchObject({ status: "unknown" })
  })
})

describe("on a connection that two principals share", () => {
  it("log lines of one's calls do not reach the other", async () => {
    const { backend } = await open(["legacy"], [rule("allow", "sly(*)")])
    const heard: Notice[] = []
    const { promise: listed, resolve } = Promise.withResolvers<void>()
    const stop = await backend.attend(legacyCaller(), {
      notify: (notice) => {
        heard.push(notice)
        if (notice.method === "notifications/tools/list_changed") resolve()
      },
      inquire: async () => ({ kind: "error", error: { code: -32601, message: "no" } }),
    })
    const other = legacyCaller({
      principal: { id: "other" },
      session: { principal: "other", id: "s2", named: true },
      conversation: "c2",
    })
    await resultOf(ask(backend, other, callOf("late-log")))
    await listed
    expect(heard.map(({ method }) => method)).not.toContain("notifications/message")
    stop()
  })
})

describe("a log line that may be of another's call", () => {
  it("is not told to whoever happens to be the only one with a call in flight", async () => {
    const { backend } = await open(["legacy"], [rule("allow", "sly(*)")])
    const other = legacyCaller({
      principal: { id: "other" },
      session: { principal: "other", id: "s2", named: true },
      conversation: "c2",
    })
    await resultOf(ask(backend, other, callOf("next-log")))
    const call = ask(backend, legacyCaller(), callOf("tool"))
    expect(textOf(await resultOf(call))).toContain("ran")
    expect(call.notices).toEqual([])
    await resultOf(ask(backend, other, callOf("next-log")))
    const own = ask(backend, other, callOf("tool"))
    await own.reply
    expect(own.notices).toEqual([])
  })
})

describe("a resource that policy denies", () => {
  it("is not listened to by a modern client either", async () => {
    const { backend } = await open(["legacy"], [rule("hide", "sly(resource:secret*)")])
    const heard: Notice[] = []
    const { promise: told, resolve } = Promise.withResolvers<void>()
    const stop = await backend.attend(modernCaller(), {
      wants: { lists: new Set(), resources: new Set(["secret://a", "open://b"]) },
      notify: (notice) => {
        heard.push(notice)
        if (notice.params?.uri === "open://b") resolve()
      },
      inquire: async () => ({ kind: "error", error: { code: -32601, message: "no" } }),
    })
    await told
    expect(JSON.stringify(heard)).not.toContain("secret://a")
    stop()
  })

  it("is recorded when a modern client listens, as what a rule allows is, and only what is granted is acknowledged", async () => {
    const rules = [
      rule("deny", "sly(resource:secret*)"),
      rule("allow", "sly(resource:open*)"),
      rule("ask", "sly(resource:asked*)"),
    ]
    const { backend, store } = await open(["legacy"], rules)
    const granted: string[] = []
    const stop = await backend.attend(modernCaller(), {
      wants: { lists: new Set(), resources: new Set(["secret://a", "open://b", "free://c", "asked://d"]) },
      granted: (resources) => granted.push(...resources),
      notify: () => {},
      inquire: async () => ({ kind: "error", error: { code: -32601, message: "no" } }),
    })
    expect(granted).toEqual(["open://b", "free://c"])
    const records = await store.records({ types: ["call.allowed", "call.denied"], limit: 10 })
    for (const [type, uri] of [
      ["call.allowed", "open://b"],
      ["call.denied", "secret://a"],
    ] as const) {
      expect(records.filter(({ text }) => text.includes(`"${type}"`) && text.includes(uri))).toHaveLength(1)
    }
    expect(records).toHaveLength(2)
    stop()
  })

  it("is not heard of by whoever subscribed to something above it", async () => {
    const { backend } = await open(["legacy"], [rule("hide", "sly(resource:files://a/secret*)")])
    const heard: unknown[] = []
    const { promise: told, resolve } = Promise.withResolvers<void>()
    const stop = await backend.attend(legacyCaller(), {
      notify: ({ params }) => {
        heard.push(params?.uri)
        if (params?.uri === "files://a/open") resolve()
      },
      inquire: async () => ({ kind: "error", error: { code: -32601, message: "no" } }),
    })
    const subscribe = (uri: string, caller = legacyCaller()) =>
      resultOf(ask(backend, caller, { method: "resources/subscribe", params: { uri } }))
    await subscribe("files://a/")
    const other = legacyCaller({
      principal: { id: "other" },
      session: { principal: "other", id: "s2", named: true },
      conversation: "c2",
    })
    await subscribe("files://b/others", other)
    await subscribe("files://a/tell-secret", other)
    await subscribe("files://a/open", other)
    await told
    expect(heard).not.toContain("files://a/secret")
    expect(heard).not.toContain("files://b/others")
    stop()
  })
})
