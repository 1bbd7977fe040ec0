import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { type Store, StoreError, type StoreErrorCode, verifyAudit } from "@byleave/core"
import { ed25519Signer, newSigningKey, nodeHasher } from "@byleave/core/node"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import {
  allowedCall,
  change,
  collect,
  commitAll,
  draft,
  hold,
  move,
  pending,
  start,
  succeeded,
} from "../contract/samples.ts"
import { openSqliteStore, type SqliteStoreOptions } from "./open-sqlite-store.ts"
import { retryWhileBusy } from "./writing/retry-while-busy.ts"

const signer = ed25519Signer(newSigningKey())
let folder: string
let path: string
const opened: Store[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "byleave-faults-"))
  path = join(folder, "byleave.db")
})
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close().catch(() => undefined)
  rmSync(folder, { recursive: true, force: true })
})

describe("full", () => {
  it("I1: refuses what does not fit, all changes of that tick, and keeps what was there", async () => {
    const store = await open({ maxBytes: 300_000 })
    let kept = 0
    const fill = async (): Promise<never> => {
      for (;;) {
        await commitAll(store, hold(pending(`p${kept}`)))
        kept++
      }
    }
    expect(await refusal(fill())).toBe("full")
    const large = pending("large", { args: { text: "x".repeat(400_000) } })
    const together = [store.commit(hold(pending("small"))), store.commit(hold(large))]
    expect(await Promise.all(together.map(refusal))).toEqual(["full", "full"])
    expect(await store.countApprovals({})).toBe(kept)
    await store.close()
    const roomy = await open()
    await commitAll(roomy, hold(pending("after")))
    expect(await problems(roomy)).toEqual([])
  })
})

describe("read-only", () => {
  it("does not open a file it may not write", async () => {
    await (await open()).close()
    chmodSync(path, 0o444)
    chmodSync(folder, 0o555)
    const stop = becomeNobody()
    try {
      expect(await refusal(open())).toBe("read-only")
    } finally {
      stop()
      chmodSync(folder, 0o755)
    }
  })
})

describe("corrupt", () => {
  it.each([
    { name: "text", content: Buffer.from("not a database ".repeat(1_000)) },
    { name: "a single byte", content: Buffer.from("x") },
    { name: "a database's first bytes", content: Buffer.from("SQLite format 3\0") },
    { name: "zeros", content: Buffer.alloc(8_192) },
  ])("refuses a file of $name and leaves it as it is", async ({ content }) => {
    writeFileSync(path, content)
    expect(await refusal(open())).toBe("corrupt")
    expect(readFileSync(path).equals(content)).toBe(true)
  })

  it("refuses another program's database and leaves it as it is", async () => {
    const other = new DatabaseSync(path)
    other.exec("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('theirs')")
    other.close()
    const before = readFileSync(path)
    await expect(open()).rejects.toThrow(/not a Byleave store/)
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  it("refuses a folder", async () => {
    mkdirSync(path)
    expect(await refusal(open())).toBe("corrupt")
  })

  it("says so when pages inside are damaged", async () => {
    const store = await open()
    await commitAll(store, hold(...Array.from({ length: 300 }, (_, index) => pending(`p${index}`))))
    await store.close()
    const bytes = readFileSync(path)
    bytes.fill(0xa5, 4_096 * 8)
    writeFileSync(path, bytes)
    const damaged = (async (): Promise<void> => {
      const again = await open()
      await again.approvals({ limit: 500 })
      await collect(again.chains())
    })()
    expect(await refusal(damaged)).toBe("corrupt")
  })

  it("says so when a document is not JSON", async () => {
    const store = await open()
    await commitAll(store, hold(pending("a")))
    tamper("UPDATE approvals SET doc = '{' WHERE id = 'a'")
    expect(await refusal(store.approval("a"))).toBe("corrupt")
  })
})

describe("too new", () => {
  it("refuses a store of a newer version and touches nothing", async () => {
    await (await open()).close()
    tamper("PRAGMA user_version = 99")
    const before = readFileSync(path)
    expect(await refusal(open())).toBe("too-new")
    expect(readFileSync(path).equals(before)).toBe(true)
  })
})

describe("gone", () => {
  it("I1 I3: refuses to write or read once its folder was moved, and goes on when it is back", async () => {
    const store = await open()
    await commitAll(store, hold(pending("a")))
    renameSync(folder, `${folder}-moved`)
    expect(await refusal(store.commit(hold(pending("b"))))).toBe("gone")
    expect(await refusal(store.approval("a"))).toBe("gone")
    expect(await refusal(store.commit(allowedCall("c", {}, "{}")))).toBe("gone")
    renameSync(`${folder}-moved`, folder)
    await commitAll(store, hold(pending("b")))
    expect(await problems(store)).toEqual([])
  })

  it("I3: refuses to write once another file is in its place", async () => {
    const store = await open()
    renameSync(path, `${path}.old`)
    writeFileSync(path, "")
    expect(await refusal(store.commit(hold(pending("a"))))).toBe("gone")
    expect(statSync(path).size).toBe(0)
  })

  it("does not make folders by itself", async () => {
    path = join(folder, "absent", "byleave.db")
    expect(await refusal(open())).toBe("gone")
  })
})

describe("busy", () => {
  it("waits for another process without stopping the event loop", async () => {
    const store = await open()
    const other = new DatabaseSync(path)
    other.exec("BEGIN IMMEDIATE")
    const commit = store.commit(hold(pending("a")))
    let turns = 0
    while (turns < 200) await new Promise((resolve) => setImmediate(resolve, turns++))
    expect(await store.approval("a")).toBeUndefined()
    other.exec("COMMIT")
    expect(await commit).toMatchObject({ ok: true })
    other.close()
  })

  it("gives up after a while and says so", async () => {
    await open()
    const holder = new DatabaseSync(path)
    holder.exec("BEGIN IMMEDIATE")
    const other = new DatabaseSync(path)
    expect(await refusal(retryWhileBusy(() => other.exec("BEGIN IMMEDIATE"), 10))).toBe("busy")
    holder.close()
    other.close()
  })
})

describe("a late listener", () => {
  it("is not told what another process did before, though nobody here has looked yet", async () => {
    const store = await open({ pollMs: 1_000_000 })
    const other = await open()
    store.subscribe(() => undefined)
    await commitAll(other, hold(pending("a")))
    const told: string[] = []
    store.subscribe((event) => told.push(event.subject))
    await commitAll(store, hold(pending("b")))
    await vi.waitFor(() => expect(told).toEqual(["b"]))
  })
})

describe("soon", () => {
  it("is followed by a signed head without anybody asking", async () => {
    const store = await open()
    await commitAll(store, allowedCall("a", {}, "{}"), allowedCall("b", {}, "{}"))
    await vi.waitFor(async () => expect((await store.heads())[0]?.seq).toBe(3))
    expect(await problems(store)).toEqual([])
  })
})

describe("a change that cannot be written", () => {
  it("I1: fails alone, and the chain goes on from where it truly stands", async () => {
    const store = await open()
    const bad = change({ records: [draft("call.asked", "bad", { body: { n: 1n as unknown as number } })] })
    const results = [store.commit(hold(pending("a"))), store.commit(bad), store.commit(hold(pending("b")))]
    const settled = await Promise.allSettled(results)
    expect(settled.map((each) => each.status)).toEqual(["fulfilled", "rejected", "fulfilled"])
    expect(await store.countApprovals({})).toBe(2)
    expect(await problems(store)).toEqual([])
  })
})

describe("the audit notices", () => {
  it.each([
    { name: "a last record removed", sql: "DELETE FROM audit WHERE position = (SELECT max(position) FROM audit)" },
    { name: "a record removed from the middle", sql: "DELETE FROM audit WHERE subject = 'b'" },
    { name: "a column changed", sql: "UPDATE audit SET type = 'call.denied' WHERE subject = 'b'" },
    {
      name: "a whole chain removed",
      sql: "DELETE FROM audit WHERE position < 2 << 32; DELETE FROM chains WHERE n = 1",
    },
    {
      name: "a chain removed from the roster too",
      sql: `DELETE FROM audit WHERE position < 2 << 32; DELETE FROM chains WHERE n = 1;
            UPDATE state SET roster = json_remove(roster, '$.writers[0]')`,
    },
  ])("$name, also after the store was opened again", async ({ sql }) => {
    const first = await open()
    await commitAll(first, hold(pending("a")), hold(pending("b")), hold(pending("c")))
    await first.close()
    const second = await open()
    await commitAll(second, hold(pending("d")))
    await second.close()
    tamper(sql)
    const third = await open()
    expect(await problems(third)).not.toEqual([])
  })

  it("nothing when nothing was touched: other chains are named again after many records, and when closing", async () => {
    const store = await open()
    const other = await open()
    await commitAll(other, hold(pending("a")))
    const many = Array.from({ length: 10_001 }, (_, index) => draft("policy.changed", null, { step: index }))
    await commitAll(store, change({ records: many }))
    await vi.waitFor(async () => expect(await store.records({ types: ["heads.anchored"], limit: 9 })).toHaveLength(1))
    await commitAll(other, hold(pending("b")))
    await store.close()
    expect(await other.records({ types: ["heads.anchored"], limit: 9 })).toHaveLength(2)
    expect(await problems(other)).toEqual([])
  })
})

describe("retention", () => {
  it("leaves nothing of what it removed in the file", async () => {
    const store = await open()
    const text = "correct horse battery staple".repeat(1_000)
    const secret = pending("a", { args: { text } })
    await commitAll(
      store,
      hold(secret),
      move(succeeded(secret, start, text)),
      allowedCall("b", {}, JSON.stringify(text)),
    )
    await store.removePayloads(start + 1)
    await store.close()
    expect(readFileSync(path).includes("battery staple")).toBe(false)
  })

  it("goes on until everything old is removed", async () => {
    const store = await open()
    const all = Array.from({ length: 450 }, (_, index) => pending(`p${index}`))
    await commitAll(store, hold(...all), ...all.map((each) => move(succeeded(each, start), { durability: "soon" })))
    expect(await store.removePayloads(start + 1)).toBe(450)
    expect((await store.approvals({ limit: 500 })).every(({ preview }) => preview === null)).toBe(true)
  })
})

async function open(over: Partial<SqliteStoreOptions> = {}): Promise<Store> {
  const store = await openSqliteStore({ path, hasher: nodeHasher, signer, ...over })
  opened.push(store)
  return store
}

async function refusal(work: Promise<unknown>): Promise<StoreErrorCode | "none"> {
  try {
    await work
    return "none"
  } catch (error) {
    if (error instanceof StoreError) return error.code
    throw error
  }
}

async function problems(store: Store): Promise<readonly unknown[]> {
  const report = await verifyAudit(store, { hasher: nodeHasher, signer })
  return report.problems
}

function tamper(sql: string): void {
  const database = new DatabaseSync(path)
  database.exec(sql)
  database.close()
}

/** For root every file is writable; gives how to become root again. */
function becomeNobody(): () => void {
  if (process.getuid?.() !== 0) return () => undefined
  process.seteuid?.(65_534)
  return () => process.seteuid?.(0)
}
