/** Links in a folder that a rule is about, through a real service before the official file server. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, expect, it } from "vitest"
import { callTool } from "./fixtures/call-tool.ts"
import { makePlace, type Place } from "./fixtures/service-process.ts"

const server = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-filesystem/dist/index.js"))
const places: Place[] = []
const folders: string[] = []
afterEach(async () => {
  for (const made of places.splice(0)) await made.dispose()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

it("lead nothing out of what an allow is about, and nothing past a deny", async () => {
  const tree = realpathSync(mkdtempSync(join(tmpdir(), "byleave-links-")))
  folders.push(tree)
  for (const folder of ["drafts", "project/src", "open"]) mkdirSync(join(tree, folder), { recursive: true })
  symlinkSync("../project/new", join(tree, "drafts", "dangling"))
  symlinkSync("../project/src", join(tree, "drafts", "src"))
  symlinkSync("../project/new", join(tree, "open", "dangling"))
  symlinkSync("loop", join(tree, "open", "loop"))
  symlinkSync("../project", join(tree, "drafts", "\u00dc"))
  symlinkSync("../project", join(tree, "open", "\u00dc"))
  const made = makePlace(`version: 1
servers:
  files: { command: ${JSON.stringify(process.execPath)}, args: ${JSON.stringify([server, tree])} }
policy:
  default: deny
  rules:
    - allow: "files(write_file)"
      when: { path: { under: ${JSON.stringify(join(tree, "drafts"))} } }
    - allow: "files(create_directory)"
    - deny: "files(create_directory)"
      when: { path: { under: ${JSON.stringify(join(tree, "project"))} } }
reviewers: { presence: none }
agents: { anonymous: true }
`)
  places.push(made)
  expect(await made.command("init", "--presence", "none", "--data", made.data)).toMatchObject({ code: 0 })
  const { url } = await made.serve()
  const write = (path: string) => callTool(`${url}/mcp/files`, "write_file", { path: `${tree}/${path}`, content: "x" })
  expect(await write("drafts/new.txt")).toContain("Successfully wrote")
  expect(readFileSync(join(tree, "drafts", "new.txt"), "utf8")).toBe("x")
  for (const path of ["drafts/dangling", "drafts/src/../Makefile", "drafts/src/a", "drafts/U\u0308/a"])
    expect(await write(path), path).toContain("The policy denied it")
  const make = (path: string) => callTool(`${url}/mcp/files`, "create_directory", { path: `${tree}/${path}` })
  expect(await make("open/made")).toContain("Successfully created")
  for (const path of ["open/dangling", "open/dangling/in", "open/loop", "open/U\u0308/a"])
    expect(await make(path), path).toContain("The policy denied it")
  expect(existsSync(join(tree, "project", "new"))).toBe(false)
})
