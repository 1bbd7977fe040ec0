import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import type { Io } from "../../io.ts"
import { run } from "../../run.ts"
import { createOutput } from "../../terminal/create-output.ts"

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

const config =
  'version: 1\n# Ours.\nservers: { files: { command: x } }\npolicy:\n  rules:\n    - deny: "files(move_file)"\n'
const settings =
  '{ "permissions": { "allow": ["mcp__files__read_file", "Bash(ls)"], "deny": ["mcp__files__write_file"] } }'

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "byleave-rules-"))
  folders.push(folder)
  writeFileSync(join(folder, "byleave.yaml"), config)
  writeFileSync(join(folder, "settings.json"), settings)
  writeFileSync(join(folder, "names.json"), '{ "files": ["read_file", "write_file", "move_file"] }')
  return folder
}

async function byleave(cwd: string, argv: readonly string[], stdin = "", whileRead = () => {}) {
  const written = { stdout: "", stderr: "" }
  const output = (name: keyof typeof written) =>
    createOutput({
      isTerminal: false,
      columns: () => undefined,
      write: (text) => {
        written[name] += text
      },
    })
  const io = {
    ...{
      argv,
      cwd,
      env: new Map([["BYLEAVE_DATA", join(cwd, "data")]]),
      home: cwd,
      platform: "linux",
      userName: "ada",
    },
    ...{ stdout: output("stdout"), stderr: output("stderr"), now: () => 0, realPaths: () => (path: string) => [path] },
    readFile: async (path: string) => readFileSync(path),
    readStdin: async () => {
      // The file has been read before standard input ends.
      await new Promise(setImmediate)
      whileRead()
      return new TextEncoder().encode(stdin)
    },
  } as unknown as Io
  return { code: await run(io), ...written }
}

describe("byleave import", () => {
  it("adds rules, keeps what is there, and names what it does not carry (R130)", async () => {
    const folder = makeFolder()
    const { code, stdout } = await byleave(folder, ["import", "claude-code", "settings.json", "--tools", "names.json"])
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Added 2 rules to byleave.yaml. 1 entry not carried exactly."),
    })
    expect(stdout).toContain("settings.json:1:55 permissions.allow[1] not carried Bash(ls)")
    expect(readFileSync(join(folder, "byleave.yaml"), "utf8")).toBe(
      `${config}    - allow: "files(read_file)"\n    - deny: "files(write_file)"\n`,
    )
  })

  it("shows with --dry-run what would change, and changes nothing", async () => {
    const folder = makeFolder()
    const { code, stdout } = await byleave(folder, [
      "import",
      "claude-code",
      "settings.json",
      "--tools",
      "names.json",
      "--dry-run",
      "--json",
    ])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      written: false,
      added: ["allow: files(read_file)", "deny: files(write_file)"],
      losses: [{ kind: "dropped", path: "permissions.allow[1]" }],
      widens: [{ rule: 'allow: "files(read_file)"' }],
      tightens: [{ rule: 'deny: "files(write_file)"' }],
    })
    expect(readFileSync(join(folder, "byleave.yaml"), "utf8")).toBe(config)
  })

  it("restricts every tool that the program may write like the named one, where nobody knows the tools", async () => {
    const folder = makeFolder()
    const { stdout } = await byleave(folder, ["import", "claude-code", "settings.json"])
    expect(stdout).toContain("stricter mcp__files__write_file")
    expect(readFileSync(join(folder, "byleave.yaml"), "utf8")).toContain('deny: "files(write[!A-Za-z0-9-]file)"')
  })

  it("changes nothing when the file became another one while it was read", async () => {
    const folder = makeFolder()
    const file = join(folder, "byleave.yaml")
    const theirs = `${config}    - deny: "files(delete_file)"\n`
    const edited = () => writeFileSync(file, theirs)
    const { code, stderr } = await byleave(folder, ["import", "claude-code", "-"], settings, edited)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("changed in the meantime") })
    expect(readFileSync(file, "utf8")).toBe(theirs)
  })

  it("reads standard input, and says when there is nothing to add", async () => {
    const folder = makeFolder()
    const { code, stdout } = await byleave(folder, ["import", "copilot", "-"], "--deny-tool 'files(move_file)'")
    expect({ code, stdout }).toEqual({ code: 0, stdout: "byleave.yaml says all of it already; nothing changes.\n" })
  })

  it.each([
    { argv: ["import", "cobol", "x"], code: 2, says: "Allowed choices are" },
    { argv: ["import", "codex", "missing.toml"], code: 1, says: "there is no such file" },
    { argv: ["import", "codex", "settings.json"], code: 1, says: "settings.json:1:1 error This is not TOML" },
    { argv: ["import", "claude-code", "settings.json", "--config", "other.yaml"], code: 1, says: "other.yaml" },
    { argv: ["import", "claude-code", "settings.json", "--prefer", "mine"], code: 2, says: "Allowed choices are" },
    { argv: ["export", "copilot", "--tools", "settings.yaml"], code: 1, says: "there is no such file" },
  ])("says what is wrong: $argv", async ({ argv, code, says }) => {
    const result = await byleave(makeFolder(), argv)
    expect(result).toMatchObject({ code, stderr: expect.stringContaining(says) })
  })
})

describe("byleave export", () => {
  const here = ["--config", "byleave.yaml"]

  it("prints flags of Copilot CLI, quoted for a shell, and what they leave out (R185)", async () => {
    const folder = makeFolder()
    writeFileSync(
      join(folder, "byleave.yaml"),
      `${config}    - allow: "files(read_*)"\n    - allow: "it's(read_file)"\n`,
    )
    writeFileSync(join(folder, "tools.json"), '{ "files": ["read_file", "read_dir", "write_file"] }')
    const { code, stdout, stderr } = await byleave(folder, ["export", "copilot", "--tools", "tools.json", ...here])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: "--allow-tool='files(read_dir)'\n--allow-tool='files(read_file)'\n--deny-tool='files(move_file)'\n",
    })
    expect(stderr).toContain("stricter allow: files(read_*)")
    // Copilot CLI does not start with such a name.
    expect(stderr).toContain("stricter allow: it's(read_file)")
  })

  it("takes names from what byleave servers list --json prints", async () => {
    const folder = makeFolder()
    writeFileSync(join(folder, "tools.json"), '{ "servers": [{ "id": "files", "tools": [{ "name": "move_file" }] }] }')
    const { code, stdout } = await byleave(folder, [
      "export",
      "claude-code",
      "--tools",
      "tools.json",
      "--json",
      ...here,
    ])
    expect(code).toBe(0)
    expect(JSON.parse(JSON.parse(stdout).text)).toEqual({
      permissions: { allow: [], ask: [], deny: ["mcp__files__move_file"] },
    })
  })
})
