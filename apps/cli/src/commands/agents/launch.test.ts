import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { makePlace, type Place } from "../../service/fixtures/service-process.ts"

const config =
  'version: 1\nreviewers: { presence: none }\npolicy:\n  rules:\n    - allow: "files(read_file)"\n    - deny: "files(move_file)"\n'

let bin = ""
let place: Place
beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), "byleave-launch-"))
  place = makePlace(config, { PATH: `${bin}:${process.env.PATH}` })
})
afterEach(async () => {
  await place.dispose()
  rmSync(bin, { recursive: true, force: true })
})

/** Puts a program on the PATH. */
const provide = (name: string, script: string) =>
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
const launch = (...args: readonly string[]) => place.command(...args)
const here = () => ["--config", place.config, "--data", place.data]

describe("byleave copilot", () => {
  it.each([
    { name: "a new run", start: [], more: "" },
    { name: "a resumed run", start: ["--resume", "a 1"], more: " '--resume=a 1'" },
    { name: "a continued run", start: ["--continue"], more: " --continue" },
  ])("gives $name the same permissions (R67)", async ({ start, more }) => {
    const printed = await launch("copilot", "--print", ...here(), ...start, "--", "-p", "it's")
    expect(printed).toMatchObject({
      code: 0,
      stdout: `copilot '--allow-tool=files(read_file)' '--deny-tool=files(move_file)'${more} -p 'it'\\''s'\n`,
    })
  })

  it("passes each switch on as it is (R186)", async () => {
    const switches = ["--allow-all", "--allow-all-tools", "--allow-all-paths", "--allow-all-urls"]
    const { stdout } = await launch("copilot", "--json", ...here(), ...switches)
    expect(JSON.parse(stdout).args).toEqual(expect.arrayContaining(switches))
  })

  it("prints what a shell runs as it would run it itself", async () => {
    provide("copilot", `printf '%s\\n' "$@"`)
    const { stdout: line } = await launch("copilot", "--print", ...here(), "--", "-p", "$HOME `x` it's")
    const env = { PATH: `${bin}:${process.env.PATH}` }
    const ran = await place.run("copilot", ...here(), "--", "-p", "$HOME `x` it's").ended
    expect(execFileSync("sh", ["-c", line], { env, encoding: "utf8" })).toBe(ran.stdout)
    expect(ran.stdout).toContain("$HOME `x` it's")
  })

  it.each([
    { name: "its own code", script: "exit 7", code: 7 },
    { name: "128 and the signal that ended it", script: "kill -9 $$", code: 137 },
  ])("ends with the program's exit code: $name", async ({ script, code }) => {
    provide("copilot", script)
    expect(await place.run("copilot", ...here()).ended).toMatchObject({ code })
  })

  it("passes a request to stop on, and waits for the program", async () => {
    provide("copilot", `trap 'echo stopping; exit 3' TERM\necho ready\nwhile :; do sleep 0.05; done`)
    const running = place.run("copilot", ...here())
    await expect.poll(() => running.output().stdout, { timeout: 15_000 }).toContain("ready")
    running.child.kill("SIGTERM")
    expect(await running.ended).toMatchObject({ code: 3, stdout: "ready\nstopping\n" })
  })

  it.each([
    {
      name: "the program is missing",
      argv: [] as string[],
      code: 1,
      says: "copilot was not found. Install Copilot CLI",
    },
    {
      name: "two starts are asked for",
      argv: ["--resume", "--continue"],
      code: 2,
      says: "Choose --resume or --continue.",
    },
  ])("says so when $name", async ({ argv, code, says }) => {
    const empty = makePlace(config, { PATH: join(bin, "none") })
    const ended = await empty.command("copilot", "--config", place.config, "--data", place.data, ...argv)
    expect(ended).toMatchObject({ code, stderr: expect.stringContaining(says) })
    await empty.dispose()
  })
})

describe("byleave launch", () => {
  it("gives Codex the settings of servers that it has alone, since it does not start with others", async () => {
    provide("codex", `[ "$1" = mcp ] && echo '[{"name":"files"}]'`)
    place.write(`${config}    - allow: "web"\n`)
    const { stdout } = await place.run("launch", "codex", "--json", ...here(), "--continue").ended
    expect(JSON.parse(stdout).args).toEqual([
      ...["-c", 'mcp_servers.files.disabled_tools = ["move_file"]'],
      ...["-c", 'mcp_servers.files.default_tools_approval_mode="prompt"'],
      ...["-c", 'mcp_servers.files.tools={read_file={approval_mode="approve"}}'],
      ...["resume", "--last"],
    ])
  })

  it("writes the rules for Gemini CLI to a file", async () => {
    const { stdout } = await launch("launch", "gemini", "--json", ...here())
    const [flag, file] = JSON.parse(stdout).args
    expect(flag).toBe("--policy")
    expect(execFileSync("cat", [file], { encoding: "utf8" })).toContain('toolName = "read_file"')
  })

  it("leaves the rules of a run as they were when another one starts with other rules, or is printed", async () => {
    provide("gemini", `[ "$1" = --policy ] && cat "$2"\nwhile [ ! -e ${bin}/go ]; do sleep 0.05; done\ncat "$2"`)
    const strict = place.run("launch", "gemini", ...here())
    await expect.poll(() => strict.output().stdout, { timeout: 15_000 }).toContain("move_file")
    const before = strict.output().stdout
    const loose = join(bin, "loose.yaml")
    writeFileSync(loose, 'version: 1\npolicy:\n  default: allow\n  rules:\n    - allow: "files(move_file)"\n')
    const printed = await launch("launch", "gemini", "--print", "--config", loose, "--data", place.data)
    expect(printed).toMatchObject({ code: 0 })
    writeFileSync(join(bin, "go"), "")
    expect((await strict.ended).stdout).toBe(before + before)
  })

  it.each([
    { name: "goose", says: "byleave export goose" },
    { name: "nobody", says: "Choose one of copilot, claude, codex, gemini, qwen, opencode, goose." },
  ])("says what to do for $name, which has no flags", async ({ name, says }) => {
    const ended = await launch("launch", name, ...here())
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(says) })
  })

  it("shows switches with the session and in the audit, and changes no mode (R66, R136, R186)", async () => {
    await place.command("init", "--data", place.data, "--presence", "none")
    const { url } = await place.serve()
    const reviewer = await place.reviewer(url)
    provide("copilot", `echo "$BYLEAVE_SWITCHES"\nwhile [ ! -e ${bin}/stop ]; do sleep 0.05; done`)
    const running = place.run("copilot", ...here(), "--allow-all-tools", "--allow-all-urls")
    const sessions = async () => {
      const listed = await reviewer.listSessions()
      const items = listed.ok ? listed.value.items : []
      return items.map(({ principal, client, mode, switches }) => ({ principal, client, mode, switches }))
    }
    const switches = ["--allow-all-tools", "--allow-all-urls"]
    await expect
      .poll(sessions, { timeout: 15_000 })
      .toEqual([{ principal: expect.stringContaining("copilot"), client: "Copilot CLI", mode: "ask", switches }])
    const { stdout } = await place.command(
      "audit",
      "list",
      "--json",
      "--type",
      "session.launched",
      "--data",
      place.data,
    )
    expect(JSON.parse(stdout).records).toMatchObject([{ body: { switches } }])
    writeFileSync(join(bin, "stop"), "")
    expect(await running.ended).toMatchObject({ code: 0, stdout: `${switches.join(" ")}\n` })
  }, 40_000)

  it("takes saved permissions of the running service, and no change that waits for approval (R185)", async () => {
    await place.command("init", "--data", place.data, "--presence", "none")
    await place.serve()
    await place.command("grants", "add", "files(write_file)", "--data", place.data)
    const now = await launch("copilot", "--json", "--data", place.data)
    expect(JSON.parse(now.stdout).args).toContain("--allow-tool=files(write_file)")
    place.write(`${config}    - allow: "files(delete_file)"\n`)
    await expect
      .poll(async () => (await launch("copilot", "--json", "--data", place.data)).stderr, { timeout: 15_000 })
      .toContain("changes that are not in force")
  }, 40_000)
})
