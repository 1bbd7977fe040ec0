import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { riskContextOf } from "./server-folders.ts"

const stdio = (command: string, args: readonly string[], cwd?: string) =>
  riskContextOf({ transport: { kind: "stdio", command, args, env: new Map(), ...(cwd === undefined ? {} : { cwd }) } })

it("knows a server's folders by its working directory and, of the filesystem server, by its arguments", () => {
  expect(stdio("npx", ["-y", "@modelcontextprotocol/server-filesystem", "/srv/a", "/srv/b"]).folders).toEqual([
    "/srv/a",
    "/srv/b",
  ])
  expect(stdio("node", ["server.js"], "/srv/c").folders).toEqual(["/srv/c"])
  expect(stdio("node", ["server.js", "/srv/data"]).folders).toEqual([])
  expect(riskContextOf(undefined).folders).toEqual([])
})

it("looks for files only where the server sees those of this machine", () => {
  const folder = mkdtempSync(join(tmpdir(), "byleave-folders-"))
  writeFileSync(join(folder, "old.md"), "")
  symlinkSync(join(folder, "nowhere"), join(folder, "link"))
  const { isMissing } = stdio("npx", ["@modelcontextprotocol/server-filesystem", folder])
  expect(["new.md", "old.md", "link", "old.md/below"].map((name) => isMissing?.(join(folder, name)))).toEqual([
    true,
    false,
    false,
    false,
  ])
  expect(stdio("docker", ["run", "x"], folder).isMissing).toBeUndefined()
  expect(stdio("/usr/bin/env", ["podman", "run"], folder).isMissing).toBeUndefined()
  expect(stdio("node", ["server.js"]).isMissing).toBeUndefined()
})
