import { AsyncLocalStorage } from "node:async_hooks"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { openStore } from "./open-store.ts"

it("whoever listens to events does so for themselves, whoever's commit is told of", async () => {
  const data = mkdtempSync(join(tmpdir(), "byleave-store-"))
  const { store } = await openStore(data, "sqlite", Date.now, false)
  const committing = new AsyncLocalStorage<string>()
  const told = new Promise<string | undefined>((resolve) => {
    store.subscribe(() => resolve(committing.getStore()))
  })
  const events = [{ type: "approval.changed", subject: "a" }] as const
  await committing.run("agent ann", () => store.commit({ at: Date.now(), records: [], events, durability: "full" }))
  expect(await told).toBeUndefined()
  await store.close()
  rmSync(data, { recursive: true })
})
