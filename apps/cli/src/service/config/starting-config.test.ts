import type { JsonObject } from "@byleave/core"
import { ed25519Signer, newId, newSigningKey, nodeHasher } from "@byleave/core/node"
import { loadConfig } from "@byleave/formats"
import { openMemoryStore } from "@byleave/store"
import { describe, expect, it } from "vitest"
import { createDocuments, type Documents } from "../gateway/documents.ts"
import { findAccepted, writeAccepted } from "./accepted-config.ts"
import { planChange } from "./plan-change.ts"
import { policyAtGate } from "./reserved-rule.ts"
import { configReader, startingConfig } from "./starting-config.ts"

const words = ({ id }: { readonly id: string }) => id

function openDocuments(): Documents {
  const signer = ed25519Signer(newSigningKey())
  return createDocuments(openMemoryStore({ hasher: nodeHasher, signer, newId, now: Date.now }), Date.now)
}

async function startWith(documents: Documents, server: string, isShared = false) {
  const text = `version: 1\nservers: { notes: ${server} }\npolicy: { rules: [{ deny: "notes(write)" }] }\n`
  const options = { name: "byleave.yaml", folder: "/srv", env: new Map<string, string>(), hasher: nodeHasher }
  const loaded = loadConfig(text, options)
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems))
  const read = await configReader(documents, isShared ? "" : "/srv")
  const file = read(loaded.config)
  const start = await startingConfig(documents, file, isShared, words)
  return { ...start, file, ...planChange(start.now, start.proposed, words) }
}

describe("where a server works", () => {
  it("is no part of the policy that is accepted and kept", async () => {
    const documents = openDocuments()
    const { now } = await startWith(documents, "{ command: notes, args: [data], cwd: ./a }")
    const [{ id = "", ...settings } = {}] = now.policy.servers
    expect([id, settings]).toEqual(["notes", { trust: "none", pin: "full" }])
    const kept = await documents.find("policy", "accepted")
    expect(kept?.value.policy).toMatchObject({ servers: [{ id: "notes", trust: "none", pin: "full" }] })
    expect(JSON.stringify(kept?.value)).not.toContain("/srv/a")
    expect(policyAtGate(now).servers).toMatchObject([{ id: "notes", cwd: "/srv/a", starts: ["/srv/a/data"] }])
  })

  it.each([false, true])(
    "goes with the server that a person accepts, and nobody knows it before (replicas: %s)",
    async (isShared) => {
      const documents = openDocuments()
      await startWith(documents, "{ command: notes, cwd: ./a }", isShared)
      const { now, proposed, waits } = await startWith(documents, "{ command: notes, cwd: ./b }", isShared)
      expect(waits?.servers).toEqual([expect.stringContaining("Server notes is now reached as")])
      expect(waits?.widens).toEqual([])
      expect(now.servers.map(({ config }) => config)).toEqual([null])
      expect(policyAtGate(now).servers).toEqual([{ id: "notes", trust: "none", pin: "full" }])
      expect(policyAtGate(proposed).servers).toMatchObject([{ id: "notes", cwd: "/srv/b" }])
    },
  )

  it("is asked about where only the file's word for it is new, though the program starts there as before", async () => {
    const documents = openDocuments()
    await startWith(documents, "{ command: notes }")
    const named = await startWith(documents, "{ command: notes, cwd: . }")
    expect(named.waits?.servers).toEqual([
      "Server notes is started as before, and its folder is now written in the file: relative paths in its calls are judged from there.",
    ])
    expect(policyAtGate(named.now).servers).toEqual([{ id: "notes", trust: "none", pin: "full" }])
    await writeAccepted(documents, named.proposed, named.accepted)
    const gone = await startWith(documents, "{ command: notes }")
    expect(gone.waits?.servers).toEqual([expect.stringContaining("can no longer be judged")])
  })

  it("is taken from the file where an older Byleave kept it with the policy, and nobody is asked", async () => {
    const documents = openDocuments()
    const server = "{ command: notes, args: [data], cwd: . }"
    const { now } = await startWith(documents, server)
    const [start = ""] = now.servers[0]?.start.split(" ") ?? []
    const older = {
      ...{ version: 1, policy: { ...now.policy, servers: [{ id: "notes", trust: "none", pin: "full", cwd: "/srv" }] } },
      ...{ servers: [{ id: "notes", start }], settings: now.settings },
    }
    expect(await documents.replace("policy", "accepted", older as unknown as JsonObject, 1)).toBe(true)
    const again = await startWith(documents, server)
    expect([again.waits, again.accepted]).toEqual([null, 2])
    expect(policyAtGate(again.now).servers).toMatchObject([{ cwd: "/srv", starts: ["/srv/data"] }])
    expect((await findAccepted(documents))?.accepted.policy.servers).toEqual([
      { id: "notes", trust: "none", pin: "full" },
    ])
  })
})
