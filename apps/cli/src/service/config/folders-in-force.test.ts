/** Where a server works, as the gate knows it, beside the server that runs, whatever is edited, saved, answered or followed. */
import { setImmediate as nextTurn } from "node:timers/promises"
import { createGate, type Gate, type Policy, type Store, unknownStart, type WorkingFolders } from "@byleave/core"
import { ed25519Signer, newId, newSigningKey, nodeHasher } from "@byleave/core/node"
import { loadConfig, type Transport } from "@byleave/formats"
import { newMemoryDatabase, openMemoryStore } from "@byleave/store"
import fc from "fast-check"
import { expect, it } from "vitest"
import { createDocuments } from "../gateway/documents.ts"
import { type ConfigKeeper, keepConfig } from "./keep-config.ts"
import type { InForce } from "./plan-change.ts"
import { policyAtGate } from "./reserved-rule.ts"
import { configReader, startingConfig } from "./starting-config.ts"

/** Ways to start a server, and what each tells of where it works. */
const starts: ReadonlyArray<{ readonly server: object; readonly where: WorkingFolders }> = [
  { server: { command: "notes" }, where: {} },
  { server: { command: "notes", cwd: "/srv" }, where: { cwd: "/srv" } },
  { server: { command: "notes", cwd: "/srv/b" }, where: { cwd: "/srv/b" } },
  { server: { command: "notes", args: ["data"], cwd: "/srv" }, where: { cwd: "/srv", starts: ["/srv/data"] } },
  { server: { command: "notes", args: ["/data"], cwd: "/srv" }, where: { cwd: "/srv", folders: ["/data"] } },
  {
    server: { command: "sh", args: ["-c", "cd data && notes"], cwd: "/srv" },
    where: { cwd: "/srv", starts: [unknownStart] },
  },
  { server: { url: "https://notes.example/mcp" }, where: { isRemote: true } },
]
const rules = ["allow: notes(read)", "deny: notes(write)", "allow: notes(list)"]

/** `starts` of the servers `notes` and `mail`; null: the file does not name it. */
type File = { readonly notes: number | null; readonly mail: number | null; readonly rules: readonly string[] }

function textOf({ notes, mail, rules }: File): string {
  const named = { notes, mail }
  const servers = Object.entries(named).flatMap(([id, at]) => (at === null ? [] : [[id, starts[at]?.server] as const]))
  const rulesOf = rules.map((rule) => Object.fromEntries([rule.split(": ")]))
  return JSON.stringify({ version: 1, servers: Object.fromEntries(servers), policy: { rules: rulesOf } })
}

function keyOf(transport: Transport): string {
  const { command, args, cwd, url } = { command: "", args: [], cwd: "", url: "", ...transport }
  return JSON.stringify([command, args, cwd, url])
}

function loaded(file: File) {
  const options = { name: "byleave.yaml", folder: "/srv", env: new Map<string, string>(), hasher: nodeHasher }
  const result = loadConfig(textOf(file), options)
  if (!result.ok) throw new Error(JSON.stringify(result.problems))
  return result.config
}

const whereOf = new Map(
  starts.map(({ where }, at) => [
    keyOf(loaded({ notes: at, mail: null, rules: [] }).servers[0]?.transport as Transport),
    where,
  ]),
)

function foldersIn(policy: Policy, id: string): WorkingFolders {
  const { cwd, folders, starts, isRemote } = policy.servers.find((server) => server.id === id) ?? {}
  return Object.fromEntries(
    Object.entries({ cwd, folders, starts, isRemote }).filter(([, value]) => value !== undefined),
  )
}

const reviewer = { id: "ana", groups: [] }

type Replica = {
  readonly keeper: ConfigKeeper
  readonly gate: Gate
  readonly store: Store
  readonly read: (file: File) => InForce
  /** Of each server that runs, what the gate knows and what is so. */
  readonly known: () => ReadonlyArray<readonly [WorkingFolders, WorkingFolders | undefined]>
  /** What the gate knows of servers that do not run. */
  readonly ofOthers: () => readonly WorkingFolders[]
  readonly mismatches: string[]
  /** The next change of servers fails. */
  readonly failOnce: () => void
  readonly close: () => Promise<void>
}

type Database = ReturnType<typeof newMemoryDatabase>

async function openReplica(file: File, database: Database, isShared: boolean): Promise<Replica> {
  const now = Date.now
  const store = openMemoryStore({ hasher: nodeHasher, signer: ed25519Signer(newSigningKey()), newId, now, database })
  const documents = createDocuments(store, now)
  const readConfig = await configReader(documents, isShared ? "" : "/srv")
  const read = (each: File): InForce => readConfig(loaded(each))
  const start = await startingConfig(documents, read(file), isShared, ({ id }) => id)
  let atGate = policyAtGate(start.now)
  let running = start.now.servers
  const gate = await createGate({ policy: atGate, store, now, newId, hasher: nodeHasher, digestKey: "k" })
  const known = () =>
    running.flatMap(({ id, config }) =>
      config === null ? [] : [[foldersIn(atGate, id), whereOf.get(keyOf(config.transport))] as const],
    )
  const mismatches: string[] = []
  const look = (): void => {
    for (const [told, so] of known()) {
      const isSo = Object.keys(told).length === 0 || JSON.stringify(told) === JSON.stringify(so)
      if (!isSo) mismatches.push(`${JSON.stringify(told)} where ${JSON.stringify(so)} runs`)
    }
  }
  let mayChange = true
  const keeper = await keepConfig(start.now, start.accepted, {
    ...{ store, documents, wordsOf: ({ id }) => id, log: () => {}, onTrouble: () => {} },
    gate: {
      ...gate,
      replacePolicy: async (policy, by) => {
        await gate.replacePolicy(policy, by)
        atGate = policy
        look()
      },
    },
    apply: async ({ servers }) => {
      if (!mayChange) {
        mayChange = true
        throw new Error("away")
      }
      running = servers
      look()
      return { ended: Promise.resolve() }
    },
  })
  await keeper.propose(start.proposed, "byleave.yaml")
  const ofOthers = () => {
    const runs = new Set(running.flatMap(({ id, config }) => (config === null ? [] : [id])))
    return atGate.servers.flatMap(({ id }) => (runs.has(id) ? [] : [foldersIn(atGate, id)]))
  }
  const close = async (): Promise<void> => {
    keeper.stop()
    await gate.close()
    await store.close()
  }
  const failOnce = (): void => {
    mayChange = false
  }
  return { keeper, gate, store, read, known, ofOthers, mismatches, failOnce, close }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 10_000; turn++) {
    if (await holds()) return
    await nextTurn()
  }
  throw new Error("It never comes to rest.")
}

/** Answers what a replica asks about, if it does, and waits for what comes of it. */
async function answer({ keeper, gate, store }: Replica, kind: "approve" | "deny"): Promise<void> {
  if (keeper.waiting() === null) return
  await until(() => keeper.waiting()?.approval !== null)
  const id = keeper.waiting()?.approval ?? ""
  const asked = await store.approval(id)
  if (asked?.status !== "pending") return
  await gate.answer({ approval: id, kind, digest: asked.runDigest, reviewer })
  await until(async () => !["pending", "approved", "running"].includes((await store.approval(id))?.status ?? ""))
}

const step = fc.record({
  at: fc.constantFrom(0, 1),
  what: fc.constantFrom("edit", "save", "approve", "approve", "deny", "restart"),
  file: fc.record({
    notes: fc.option(fc.nat(starts.length - 1), { freq: 5 }),
    mail: fc.option(fc.nat(starts.length - 1), { freq: 1 }),
    rules: fc.subarray(rules),
  }),
})

it.each([false, true])(
  "I4: the gate knows where the running servers work after any edits, saves, answers and restarts (replicas: %s)",
  async (isShared) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
        const database = newMemoryDatabase()
        const files: File[] = [0, 1].map(() => ({ notes: 1, mail: null, rules: [] }))
        const replicas: Replica[] = []
        for (const file of isShared ? files : files.slice(1)) replicas.push(await openReplica(file, database, isShared))
        for (const { at, what, file } of steps) {
          const index = at % replicas.length
          const replica = replicas[index] as Replica
          if (what === "approve" || what === "deny") await answer(replica, what)
          else if (what === "restart") {
            await replica.close()
            replicas[index] = await openReplica(files[index] as File, database, isShared)
          } else {
            files[index] = file
            const next = replica.read(file)
            if (what === "edit") await replica.keeper.propose(next, "byleave.yaml")
            else await replica.keeper.change((accept) => accept(next, "byleave.yaml", "ana"))
          }
          await until(() => new Set(replicas.map(({ keeper }) => keeper.inForce().policy.version)).size === 1)
          for (const { keeper, known, ofOthers, mismatches } of replicas) {
            await keeper.change(async () => {})
            for (const [told, so] of known()) expect(told).toEqual(so)
            for (const told of ofOthers()) expect(told).toEqual({})
            expect(mismatches).toEqual([])
          }
        }
        for (const { close } of replicas) await close()
      }),
      { numRuns: 100 },
    )
  },
)

it("I4: the gate knows nothing of where a server works while it is started otherwise, also where that fails at first", async () => {
  const replica = await openReplica({ notes: 1, mail: null, rules: [] }, newMemoryDatabase(), false)
  await replica.keeper.propose(replica.read({ notes: 3, mail: null, rules: [] }), "byleave.yaml")
  replica.failOnce()
  await answer(replica, "approve")
  await expect.poll(() => replica.known()).toEqual([[starts[3]?.where, starts[3]?.where]])
  expect(replica.mismatches).toEqual([])
  await replica.close()
})
