import { createRedactor, type Store } from "@byleave/core"
import { ed25519Signer, newId, newSigningKey, nodeHasher } from "@byleave/core/node"
import { openMemoryStore } from "@byleave/store"
import { beforeEach, describe, expect, it } from "vitest"
import { contentBefore, keepContent, removeContents } from "./kept-content.ts"

const secret = ["hunter", "22222222"].join("-")
const bounds = { each: 20, files: 3, inAll: 40 }
const by = { server: "files", tool: "read_file" }

describe("what files held before they were changed", () => {
  let store: Store
  const at = 1_800_000_000_000
  const ports = () => ({ store, hasher: nodeHasher, redactor: createRedactor({ values: [secret] }) })
  const file = (approval: string) => ({ approval, path: "/ws/a" })
  const keep = (approval: string, text: string, when = at) =>
    keepContent(ports(), file(approval), { kind: "text", path: "/ws/a", text, by }, when, bounds)
  const kept = (approval: string) => contentBefore(ports(), file(approval), at)

  beforeEach(() => {
    const signer = ed25519Signer(newSigningKey())
    store = openMemoryStore({ hasher: nodeHasher, signer, newId, now: () => at, elapsed: () => 0 })
  })

  it("is kept by call and path, the newest reading in place of an older one", async () => {
    await keep("a", "one")
    await keep("a", "two", at + 5)
    expect(await kept("a")).toEqual({ kind: "text", text: "two", readAt: at + 5 })
    expect(await contentBefore(ports(), { approval: "a", path: "/ws/b" }, at)).toBeUndefined()
    expect(await kept("b")).toBeUndefined()
  })

  it("I1: keeps no more files, and no more text, than the bounds say: the oldest go", async () => {
    for (const name of ["a", "b", "c", "d"]) await keep(name, name)
    expect(await kept("a")).toBeUndefined()
    expect(await kept("d")).toMatchObject({ text: "d" })
    await keep("e", "e".repeat(20))
    await keep("f", "f".repeat(20))
    expect(await kept("d")).toBeUndefined()
    expect(await kept("e")).toMatchObject({ kind: "text" })
    expect(await store.documents("file-before", { limit: 10, now: at })).toHaveLength(2)
  })

  it("I2: what holds a configured secret or is too long is not kept, only that it was so", async () => {
    await keep("a", `x ${secret}`)
    expect(await kept("a")).toEqual({ kind: "redacted", readAt: at })
    await keep("b", "b".repeat(21))
    await keepContent(ports(), file("c"), "too-large", at, bounds)
    await keepContent(ports(), file("d"), { kind: "absent", path: "/ws/a", by }, at, bounds)
    await keepContent(ports(), file("e"), { kind: "unavailable", why: "no" }, at, { ...bounds, files: 9 })
    expect((await kept("b"))?.kind).toBe("too-large")
    expect((await kept("c"))?.kind).toBe("too-large")
    expect((await kept("d"))?.kind).toBe("absent")
    expect(await kept("e")).toBeUndefined()
    const all = await store.documents("file-before", { limit: 10, now: at })
    expect(JSON.stringify(all)).not.toContain(secret)
    expect(JSON.stringify(all)).not.toContain("bbb")
  })

  it.each(["partial", "not-utf8"] as const)("I2: what may not be the file as it is is not kept: %s", async (doubt) => {
    await keepContent(ports(), file("a"), { kind: "text", path: "/ws/a", text: "abc", by, doubt }, at, bounds)
    expect(await kept("a")).toEqual({ kind: doubt, readAt: at })
  })

  it("I3: goes with what else was kept from before a time", async () => {
    await keep("old", "old", at - 10)
    await keep("new", "new", at)
    await removeContents(store, at - 5, at)
    expect(await kept("old")).toBeUndefined()
    expect(await kept("new")).toMatchObject({ text: "new" })
    expect(await store.documents("file-before", { limit: 10, now: at })).toHaveLength(1)
  })
})
