// Takes some ten seconds: the command is bundled twice. test/house/bundle.test.ts looks at what is in a bundle.
import { mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it } from "vitest"
import { buildCommand } from "../../scripts/build.ts"

it("a bundle that is built again keeps what a process of the first build may still load", async () => {
  const folder = mkdtempSync(join(tmpdir(), "byleave-bundle-"))
  await buildCommand(folder)
  const before = readdirSync(folder)
  await buildCommand(folder)
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(before))
  rmSync(folder, { recursive: true })
})
