import { generateKeyPairSync, sign } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Transport } from "@byleave/formats"
import { afterAll, describe, expect, it } from "vitest"
import { reputationOf } from "./server-reputation.ts"

const folder = mkdtempSync(join(tmpdir(), "byleave-reputation-"))
afterAll(() => rmSync(folder, { recursive: true }))

const keys = generateKeyPairSync("ed25519")
const raw = (of: typeof keys) => of.publicKey.export({ format: "der", type: "spki" }).subarray(12).toString("base64")
const file = join(folder, "servers.json")
const settings = { file, key: raw(keys) }
const content = JSON.stringify({
  by: "Example community",
  servers: { "@example/files": { says: "Maintained, audited in May." }, "https://a.example/mcp": { says: "New." } },
})
const write = (signed: string, by = keys) =>
  writeFileSync(
    file,
    JSON.stringify({ signed, signature: sign(null, Buffer.from(signed), by.privateKey).toString("base64") }),
  )
const stdio = (...args: readonly string[]): Transport => ({ kind: "stdio", command: "npx", args, env: new Map() })

describe("what others think of a server (R144)", () => {
  it("is given as the signed file says it, by package or address", () => {
    write(content)
    const said = { state: "signed", by: "Example community", says: "Maintained, audited in May." }
    expect(reputationOf(settings, stdio("-y", "@example/files"))).toEqual(said)
    expect(reputationOf(settings, stdio("-y", "@example/files@2.1.0", "."))).toEqual(said)
    expect(reputationOf(settings, stdio("-y", "@example/files-evil"))).toBeNull()
    expect(reputationOf(settings, { kind: "http", url: "https://a.example/mcp", headers: new Map() })).toMatchObject({
      says: "New.",
    })
    expect(reputationOf(null, stdio("@example/files"))).toBeNull()
  })

  it.each([
    {
      name: "signed by another key",
      make: () => write(content, generateKeyPairSync("ed25519")),
      why: "not signed with the key",
    },
    {
      name: "changed after it was signed",
      make: () =>
        writeFileSync(
          file,
          JSON.stringify({
            signed: content.replace("audited", "trusted"),
            signature: sign(null, Buffer.from(content), keys.privateKey).toString("base64"),
          }),
        ),
      why: "not signed with the key",
    },
    { name: "not signed", make: () => writeFileSync(file, content), why: "not a signed file" },
    { name: "no JSON inside", make: () => write("hello"), why: "cannot be read" },
    { name: "missing", make: () => rmSync(file), why: "cannot be read" },
  ])("I1: of a file that is $name nothing is given on", ({ make, why }) => {
    make()
    const found = reputationOf(settings, stdio("@example/files"))
    expect(found).toEqual({ state: "unusable", why: expect.stringContaining(why) })
  })
})
