import { type Approval, createGate, emptyPolicy, type Gate, type Rule } from "@byleave/core"
import { ed25519Signer, newId, newSigningKey, nodeHasher } from "@byleave/core/node"
import { newMemoryDatabase, openMemoryStore } from "@byleave/store"
import { describe, expect, it } from "vitest"
import { createDocuments } from "../gateway/documents.ts"
import { findAccepted } from "./accepted-config.ts"
import { type ConfigKeeper, keepConfig } from "./keep-config.ts"
import type { InForce } from "./plan-change.ts"
import { policyAtGate } from "./reserved-rule.ts"

function rule(effect: "deny" | "allow", name: string): Rule {
  const target = { server: "files", kind: "tool" as const, name, whole: false }
  return { id: `${effect} ${name}`, effect, target, origin: { where: "test" } }
}
const settings = {
  ...({ presence: "pin", anonymous: false, decideInClient: false, retention: null } as const),
  ...{
    hosts: [],
    origins: [],
    groups: [],
    reputation: null,
    openRequests: null,
    bodyBytes: 64_000_000,
    connections: 16_384,
  },
}
function config(...rules: readonly Rule[]): InForce {
  const version = nodeHasher.sha256(JSON.stringify(rules)).slice(0, 8)
  return { policy: { ...emptyPolicy, version, rules }, servers: [], models: [], settings }
}
const reviewer = { id: "ana", groups: [] }
const session = { principal: "agent", id: "s", named: true }

type Step = "read" | "replace" | "apply" | "cancel"

/** A service's gate and its keeper on a store that may be another's, too. `before`: called before each step, which fails where it does. */
async function openKeeper(start: InForce, database = newMemoryDatabase(), before: (step: Step) => void = () => {}) {
  const now = Date.now
  const signer = ed25519Signer(newSigningKey())
  const store = openMemoryStore({ hasher: nodeHasher, signer, newId, now, database })
  const policy = policyAtGate(start)
  const gate = await createGate({ policy, store, now, newId, hasher: nodeHasher, digestKey: "k" })
  const documents = createDocuments(store, now)
  const log: string[] = []
  const applied: InForce[] = []
  const troubles: unknown[] = []
  // Old servers end at once, unless it is held up.
  const ended = { promise: Promise.resolve() }
  const failing =
    <Args extends unknown[], Result>(step: Step, work: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      before(step)
      return work(...args)
    }
  const { replacePolicy, cancel } = gate
  let told = policy
  const tell: typeof replacePolicy = async (next, by) => {
    await replacePolicy(next, by)
    told = next
  }
  const keeper = await keepConfig(start, null, {
    ...{ store, log: (line: string) => log.push(line) },
    gate: { ...gate, replacePolicy: failing("replace", tell), cancel: failing("cancel", cancel) },
    documents: { ...documents, find: failing("read", documents.find) },
    apply: failing("apply", async (next: InForce) => {
      applied.push(next)
      return { ended: ended.promise }
    }),
    wordsOf: ({ id }) => id,
    onTrouble: (trouble) => troubles.push(trouble),
  })
  /** The servers of which the gate was told where they work. */
  const foldersTold = () => told.servers.map(({ id }) => id)
  const pending = () => store.approvals({ statuses: ["pending"], limit: 10 })
  const onlyPending = async (): Promise<Approval> => {
    await expect.poll(async () => (await pending()).length).toBe(1)
    const [listed] = await pending()
    const approval = await store.approval(listed?.id ?? "")
    if (approval === undefined) throw new Error("no waiting calls")
    return approval
  }
  return { gate, keeper, documents, log, applied, pending, onlyPending, database, store, troubles, ended, foldersTold }
}

const effectOf = async (gate: Gate, name: string) =>
  (await gate.judge({ server: "files", kind: "tool", name }, {}, { principal: { id: "agent" }, session })).effect
const approve = (gate: Gate, { id, runDigest }: Approval) =>
  gate.answer({ approval: id, kind: "approve", digest: runDigest, reviewer })
const versionOf = (keeper: ConfigKeeper) => keeper.inForce().policy.version

describe("I1, I2: two replicas", () => {
  const both = async (start: InForce) => {
    const one = await openKeeper(start)
    const two = await openKeeper(start, one.database)
    return { one, two }
  }

  it("an edit that waits is compared anew when the other replica tightens, and says what it would take away", async () => {
    const { one, two } = await both(config(rule("allow", "act")))
    await two.keeper.propose(config(rule("allow", "act"), rule("allow", "read")), "two.yaml")
    const first = await two.onlyPending()
    await one.keeper.propose(config(rule("allow", "act"), rule("deny", "act")), "one.yaml")
    for (const { gate } of [one, two]) await expect.poll(() => effectOf(gate, "act")).toBe("deny")
    await expect.poll(async () => (await two.gate.approval(first.id))?.status).toBe("cancelled")
    const second = await two.onlyPending()
    expect(JSON.stringify(first.args)).not.toContain("deny")
    expect(JSON.stringify(second.args)).toContain("deny")
  })

  it("a yes that comes before the other replica's change is heard of applies nothing", async () => {
    const { one, two } = await both(config(rule("allow", "act")))
    await two.keeper.propose(config(rule("allow", "act"), rule("allow", "read")), "two.yaml")
    const waiting = await two.onlyPending()
    const denied = one.keeper.propose(config(rule("allow", "act"), rule("deny", "act")), "one.yaml")
    await approve(two.gate, waiting)
    await denied
    await expect.poll(async () => (await two.gate.approval(waiting.id))?.status).not.toBe("running")
    for (const { gate } of [one, two]) await expect.poll(() => effectOf(gate, "act")).toBe("deny")
  })

  it("restrictions of both made at the same time are in force at both", async () => {
    const { one, two } = await both(config())
    await Promise.all([
      one.keeper.propose(config(rule("deny", "move")), "one.yaml"),
      two.keeper.propose(config(rule("deny", "drop")), "two.yaml"),
    ])
    for (const { gate } of [one, two]) {
      await expect.poll(() => effectOf(gate, "move")).toBe("deny")
      await expect.poll(() => effectOf(gate, "drop")).toBe("deny")
    }
  })
})

describe("I3: another replica's change", () => {
  it.each(["read", "replace", "apply", "cancel"] as const)(
    "is in force at last where the step %s fails twice",
    async (broken) => {
      const one = await openKeeper(config(rule("allow", "act")))
      let failures = 0
      const two = await openKeeper(config(rule("allow", "act")), one.database, (step) => {
        if (step !== broken || failures === 0) return
        failures -= 1
        throw new Error("away")
      })
      await two.keeper.propose(config(rule("allow", "act"), rule("allow", "read")), "two.yaml")
      const first = await two.onlyPending()
      failures = 2
      const next = config(rule("allow", "act"), rule("deny", "act"))
      await one.keeper.propose(next, "one.yaml")
      await expect.poll(() => effectOf(two.gate, "act"), { timeout: 5_000 }).toBe("deny")
      await expect.poll(() => two.applied.at(-1)?.policy.version).toBe(next.policy.version)
      await expect.poll(async () => (await two.gate.approval(first.id))?.status).toBe("cancelled")
      expect(JSON.stringify((await two.onlyPending()).args)).toContain("deny")
      expect(failures).toBe(0)
      expect(two.troubles).toMatchObject([{ message: "away" }])
    },
  )

  it("made between its start and its first look is followed", async () => {
    const one = await openKeeper(config())
    await one.keeper.propose(config(rule("deny", "move")), "one.yaml")
    const two = await openKeeper(config(), one.database)
    await expect.poll(() => effectOf(two.gate, "move")).toBe("deny")
  })
})

describe("I5: while old servers end", () => {
  const server = (start: string) => {
    const transport = { kind: "stdio", command: start, args: [], env: new Map(), cwd: `/${start}` } as const
    return { id: "mail", start, config: { id: "mail", trust: "none", pin: "full", transport } } as const
  }
  const moved = async (database = newMemoryDatabase()) => {
    const before = { ...config(rule("allow", "act")), servers: [server("old")] }
    const next = { ...before, servers: [server("new")] }
    const one = await openKeeper(before, database)
    const over = Promise.withResolvers<void>()
    one.ended.promise = over.promise
    await one.keeper.propose(next, "byleave.yaml")
    const waiting = await one.onlyPending()
    await approve(one.gate, waiting)
    await expect.poll(() => one.applied.at(-1)?.servers).toEqual([server("new")])
    const denied = { ...next, policy: config(rule("allow", "act"), rule("deny", "act")).policy }
    return { ...one, end: over.resolve, denied, waiting }
  }
  it("the change of the server is made", async () => {
    const { gate, waiting } = await moved()
    await expect.poll(async () => (await gate.approval(waiting.id))?.status).toBe("succeeded")
  })

  it("an edit restricts at once, and where a server works is told when the old one has ended", async () => {
    const { gate, keeper, denied, end, foldersTold } = await moved()
    await keeper.propose(denied, "byleave.yaml")
    expect(await effectOf(gate, "act")).toBe("deny")
    expect(foldersTold()).toEqual([])
    end()
    await expect.poll(foldersTold).toEqual(["mail"])
    expect(await effectOf(gate, "act")).toBe("deny")
  })

  it("what a person saves, and what another replica restricts, is in force at once", async () => {
    const { gate, keeper, denied, database } = await moved()
    await keeper.change((accept) => accept(denied, "byleave.yaml", "ana"))
    expect(await effectOf(gate, "act")).toBe("deny")
    const other = await openKeeper(denied, database)
    await other.keeper.propose({ ...denied, policy: config(rule("deny", "drop")).policy }, "other.yaml")
    await expect.poll(() => effectOf(gate, "drop")).toBe("deny")
  })

  it("I4: a server that is gone and comes back as another is told when each before it has ended", async () => {
    const { gate, keeper, denied, end, onlyPending, ended, log, foldersTold } = await moved()
    ended.promise = Promise.resolve()
    await keeper.propose({ ...denied, servers: [] }, "byleave.yaml")
    await keeper.propose({ ...denied, servers: [server("third")] }, "byleave.yaml")
    await approve(gate, await onlyPending())
    await expect.poll(() => keeper.inForce().servers).toEqual([server("third")])
    await expect.poll(() => log.filter((line) => line.includes("in effect (version")).length).toBe(2)
    expect(foldersTold()).toEqual([])
    end()
    await expect.poll(foldersTold).toEqual(["mail"])
  })
})

describe("an edit of the configuration", () => {
  it("tightens at once, and widens only when a person has said yes", async () => {
    const { gate, keeper, onlyPending, documents, applied } = await openKeeper(config())
    const next = config(rule("allow", "write"), rule("deny", "move"))
    await keeper.propose(next, "byleave.yaml")
    expect(await effectOf(gate, "move")).toBe("deny")
    expect(await effectOf(gate, "write")).toBe("ask")
    const waiting = await onlyPending()
    expect(waiting).toMatchObject({
      tool: { server: "byleave", tool: "change_policy" },
      expiresAt: null,
      remember: "never",
    })
    expect(JSON.stringify(waiting.args)).toContain("write")
    expect(await approve(gate, waiting)).toMatchObject({ ok: true })
    await expect.poll(() => versionOf(keeper)).toBe(next.policy.version)
    expect(await effectOf(gate, "write")).toBe("allow")
    await expect.poll(async () => (await findAccepted(documents))?.accepted.policy.version).toBe(next.policy.version)
    expect(applied.at(-1)?.policy.version).toBe(next.policy.version)
    expect(keeper.waiting()).toBeNull()
  })

  it("stays as it was when the person says no", async () => {
    const { gate, keeper, onlyPending, log } = await openKeeper(config())
    await keeper.propose(config(rule("allow", "write")), "byleave.yaml")
    const { id, runDigest } = await onlyPending()
    await gate.answer({ approval: id, kind: "deny", digest: runDigest, reviewer, reason: "Not today." })
    await expect.poll(() => log.join()).toContain("Not today.")
    expect(await effectOf(gate, "write")).toBe("ask")
  })

  it("withdraws the one before it", async () => {
    const { gate, keeper, onlyPending, pending } = await openKeeper(config())
    await keeper.propose(config(rule("allow", "write")), "byleave.yaml")
    const first = await onlyPending()
    await keeper.propose(config(rule("allow", "edit")), "byleave.yaml")
    await expect.poll(async () => (await gate.approval(first.id))?.status).toBe("cancelled")
    expect((await onlyPending()).id).not.toBe(first.id)
    await keeper.propose(config(), "byleave.yaml")
    await expect.poll(async () => (await pending()).length).toBe(0)
    expect(await approve(gate, first)).toMatchObject({ ok: false })
    expect(await effectOf(gate, "write")).toBe("ask")
  })

  it("that cannot be used withdraws the one before it, too; the same text asks again", async () => {
    const { gate, keeper, onlyPending } = await openKeeper(config())
    const wider = config(rule("allow", "write"))
    await keeper.propose(wider, "byleave.yaml")
    const first = await onlyPending()
    await keeper.withdraw()
    expect(await gate.approval(first.id)).toMatchObject({
      status: "cancelled",
      detail: expect.stringContaining("no longer valid"),
    })
    expect(await approve(gate, first)).toMatchObject({ ok: false })
    expect([keeper.waiting(), keeper.holdsBack(wider), keeper.holdsBack(config())]).toEqual([null, true, false])
    await keeper.propose(wider, "byleave.yaml")
    await approve(gate, await onlyPending())
    await expect.poll(() => keeper.holdsBack(wider)).toBe(false)
  })

  it("cannot be edited on the way: what was shown is what holds", async () => {
    const { gate, keeper, onlyPending } = await openKeeper(config())
    await keeper.propose(config(rule("allow", "write")), "byleave.yaml")
    const { id, runDigest, args } = await onlyPending()
    const edited = { ...args, widens: [] }
    await gate.answer({ approval: id, kind: "approve", digest: runDigest, reviewer, args: edited })
    await expect.poll(async () => (await gate.approval(id))?.status).toBe("failed")
    expect(await effectOf(gate, "write")).toBe("ask")
  })

  it("that a person saved is in force at once, by that person, and the one that waited is withdrawn", async () => {
    const { gate, keeper, onlyPending, store, pending } = await openKeeper(config())
    await keeper.propose(config(rule("allow", "edit")), "byleave.yaml")
    const { id } = await onlyPending()
    await keeper.change((accept) => accept(config(rule("allow", "write")), "byleave.yaml", "ana"))
    expect(await effectOf(gate, "write")).toBe("allow")
    expect(await effectOf(gate, "edit")).toBe("ask")
    expect((await gate.approval(id))?.status).toBe("cancelled")
    expect(await pending()).toEqual([])
    const [record] = await store.records({ types: ["policy.changed"], limit: 1 })
    expect(JSON.parse(record?.text ?? "{}").body).toMatchObject({ by: "ana" })
  })

  it("that a person saved accepts no server that waits to be started", async () => {
    const { keeper, onlyPending, applied } = await openKeeper(config())
    const transport = { kind: "stdio", command: "run", args: [], env: new Map() } as const
    const server = { id: "new", start: "x", config: { id: "new", trust: "none", pin: "full", transport } } as const
    const next = { ...config(rule("allow", "write")), servers: [server] }
    await keeper.change((accept) => accept(next, "byleave.yaml", "ana"))
    expect(applied.at(-1)).toMatchObject({ policy: next.policy, servers: [] })
    expect((await onlyPending()).args).toMatchObject({ widens: [], servers: [expect.stringContaining("new")] })
  })

  it("that a person saved accepts no model that waits to be used", async () => {
    const { gate, keeper, onlyPending, applied, documents } = await openKeeper(config())
    const model = {
      name: "main",
      start: "x",
      config: { name: "main", provider: "scripted", steps: [] },
      words: "y",
    } as const
    const next = { ...config(rule("allow", "write")), models: [model] }
    await keeper.change((accept) => accept(next, "byleave.yaml", "ana"))
    expect(applied.at(-1)).toMatchObject({ policy: next.policy, models: [] })
    const waiting = await onlyPending()
    expect(waiting.args).toMatchObject({ widens: ["Model main was added: y."], servers: [] })
    await approve(gate, waiting)
    await expect.poll(() => applied.at(-1)?.models).toEqual([model])
    await expect
      .poll(async () => (await findAccepted(documents))?.accepted.models)
      .toMatchObject([{ name: "main", start: "x" }])
    await keeper.propose(next, "byleave.yaml")
    expect(keeper.waiting()).toBeNull()
  })

  it("is followed by another replica", async () => {
    const one = await openKeeper(config())
    const two = await openKeeper(config(), one.database)
    await one.keeper.propose(config(rule("deny", "move")), "byleave.yaml")
    await expect.poll(() => effectOf(two.gate, "move")).toBe("deny")
  })

  it("that nobody holds any more, for its service is gone, is withdrawn at the next start", async () => {
    const one = await openKeeper(config())
    await one.keeper.propose(config(rule("allow", "write")), "byleave.yaml")
    const { id } = await one.onlyPending()
    one.keeper.stop()
    await one.gate.close()
    await one.store.close()
    const two = await openKeeper(config(), one.database)
    expect((await two.gate.approval(id))?.status).toBe("cancelled")
  })
})
