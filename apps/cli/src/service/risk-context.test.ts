import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { riskContextOf } from "./risk-context.ts"

const stdio = (command: string, args: readonly string[], folders?: readonly string[]) =>
  riskContextOf({
    transport: { kind: "stdio", command, args, env: new Map() },
    ...(folders === undefined ? {} : { folders }),
  })

it("looks for files only where the server sees those of this machine", () => {
  const folder = mkdtempSync(join(tmpdir(), "byleave-folders-"))
  writeFileSync(join(folder, "old.md"), "")
  symlinkSync(join(folder, "nowhere"), join(folder, "link"))
  const { isMissing } = stdio("npx", ["@modelcontextprotocol/server-filesystem", folder], [folder])
  expect(["new.md", "old.md", "link", "old.md/below"].map((name) => isMissing?.(join(folder, name)))).toEqual([
    true,
    false,
    false,
    false,
  ])
  expect(stdio("docker", ["run", "x"], [folder]).isMissing).toBeUndefined()
  expect(stdio("/usr/bin/env", ["podman", "run"], [folder]).isMissing).toBeUndefined()
  expect(stdio("node", ["server.js"]).isMissing).toBeUndefined()
})
