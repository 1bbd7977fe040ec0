import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, describe, expect, it } from "vitest"
import { lookAround } from "./look.ts"
import { runSetup } from "./run-setup.ts"
import { setupLines } from "./setup-lines.ts"
import { setupViews } from "./setup-views.ts"

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function makeMachine() {
  const folder = mkdtempSync(join(tmpdir(), "byleave-shown-"))
  folders.push(folder)
  const [home, cwd, data] = [join(folder, "home"), join(folder, "project"), join(folder, "data")]
  for (const made of [home, cwd, data]) mkdirSync(made)
  writeFileSync(join(data, "byleave.yaml"), "version: 1\n")
  const env = new Map([
    ["CLOUD_SECRET", "supersecret"],
    ["OTHER", "x"],
  ])
  const io = { env, home, platform: "linux", cwd }
  const write = (path: string, text: string): string => {
    const whole = path.startsWith("~/") ? join(home, path.slice(2)) : join(cwd, path)
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, text)
    return whole
  }
  const look = () => lookAround({ data, io, machine: io, only: null, url: "http://127.0.0.1:7337" })
  const shown = () => {
    const views = setupViews(look())
    const servers = views.flatMap((view) => view.servers)
    return { servers, lines: setupLines(views, home, (_, text) => text), json: JSON.stringify(views) }
  }
  const host = {
    config: join(data, "byleave.yaml"),
    addToken: async (id: string) => ({ id, secret: "s" }),
    revokeToken: async () => undefined,
    unmovable: async () => new Map<string, string>(),
    acceptServers: async () => null,
  }
  return { home, cwd, write, look, shown, run: (plan = look()) => runSetup(data, plan, host) }
}

const servers = (entries: object) => JSON.stringify({ mcpServers: entries })
const reference = (name: string) => `\${${name}}`
const url = "https://docs.example/mcp"

describe("a server that moves to byleave.yaml", () => {
  it("I2: is shown in the words by which the service asks about it, with every header and variable", () => {
    const machine = makeMachine()
    const headers = { "X-Trace": reference("CLOUD_SECRET"), Plan: "basic", Authorization: "Bearer nobody-may-see" }
    machine.write("~/.cursor/mcp.json", servers({ docs: { url: `${url}?key=${reference("env:OTHER")}`, headers } }))
    const sentence =
      `Server docs was added: ${url}?key=${reference("OTHER")} (at docs.example) ` +
      `(with headers X-Trace=${reference("CLOUD_SECRET")}, a secret of 11 characters, Plan="basic", Authorization, a secret of 21 characters). ` +
      "Existing permissions for docs will apply to it."
    const { lines, servers: views } = machine.shown()
    expect(views).toMatchObject([{ change: sentence, takes: ["OTHER", "CLOUD_SECRET"], warning: null }])
    expect(lines).toContain(`Your yes to setup is also one to this: ${sentence}\n`)
    expect(lines).toContain("(with X-Trace, Plan, Authorization) (takes OTHER, CLOUD_SECRET from your environment)")
    expect(lines).not.toMatch(/nobody-may-see|supersecret/)
  })

  it("shares no name with one that has other headers from variables, or speaks another protocol", async () => {
    const machine = makeMachine()
    machine.write("~/.codex/config.toml", `[mcp_servers.docs]\nurl = "${url}"\n`)
    machine.write(
      ".codex/config.toml",
      `[mcp_servers.docs]\nurl = "${url}"\nenv_http_headers = { X = "CLOUD_SECRET" }\n`,
    )
    machine.write("~/.gemini/settings.json", servers({ docs: { url } }))
    machine.write("~/.qwen/settings.json", servers({ docs: { httpUrl: url } }))
    expect(machine.shown().servers.map(({ client, name }) => [client, name])).toEqual([
      ["codex", "docs"],
      ["codex", "docs-codex"],
      ["gemini-cli", "docs-gemini-cli"],
      ["qwen-code", "docs"],
    ])
    expect(machine.shown().servers.map(({ before }) => before)).toEqual([url, `${url} (with X)`, url, url])
  })

  it("stays where it is if the service could not use it", () => {
    const machine = makeMachine()
    machine.write("~/.cursor/mcp.json", servers({ docs: { url, headers: { "no header": "x" } } }))
    expect(machine.shown().servers).toMatchObject([{ becomes: "left", why: expect.stringContaining("cannot use") }])
  })
})

describe("I3: a project's file that takes variables of the person's environment", () => {
  const sent = "This project's file has Byleave send CLOUD_SECRET of your environment to docs.example."
  const given = "This project's file has CLOUD_SECRET of your environment given to the program that it starts."

  it.each([
    {
      takes: "a header",
      entry: { type: "http", url, headers: { "X-Trace": reference("CLOUD_SECRET") } },
      warning: sent,
    },
    { takes: "a header", entry: { type: "http", url, headers: { A: reference("CLOUD_SECRET:-none") } }, warning: sent },
    { takes: "an address", entry: { type: "http", url: `${url}?token=${reference("CLOUD_SECRET")}` }, warning: sent },
    {
      takes: "an argument",
      entry: { command: "npx", args: ["x", `--key=${reference("CLOUD_SECRET")}`] },
      warning: given,
    },
    { takes: "a variable", entry: { command: "npx", env: { A: reference("CLOUD_SECRET") } }, warning: given },
    { takes: "a folder", entry: { command: "npx", cwd: reference("CLOUD_SECRET") }, warning: given },
  ])("in $takes warns, by their names, of where they go", ({ entry, warning }) => {
    const machine = makeMachine()
    machine.write(".mcp.json", servers({ docs: entry }))
    const { lines, servers: views } = machine.shown()
    expect(views).toMatchObject([{ warning, takes: ["CLOUD_SECRET"] }])
    expect(lines).toContain(`! docs: ${warning}\n`)
    machine.write("~/.claude.json", servers({ docs: entry }))
    expect(machine.shown().servers[0]).toMatchObject({ warning: null, takes: ["CLOUD_SECRET"] })
  })
})

it("a variable of the client itself, such as the folder that is open, is none of the environment", () => {
  const machine = makeMachine()
  const args = ["x", reference("workspaceFolder")]
  machine.write(".vscode/mcp.json", JSON.stringify({ servers: { docs: { command: "npx", args } } }))
  machine.write(".cursor/mcp.json", servers({ docs: { command: "npx", args: [reference("env:OTHER")] } }))
  expect(machine.shown().servers).toMatchObject([
    { takes: [], warning: null },
    { takes: ["OTHER"], warning: expect.stringContaining("OTHER of your environment") },
  ])
})

it("a server that is wrapped is shown with the variables that are set for it, and its folder", () => {
  const machine = makeMachine()
  machine.write(
    ".mcp.json",
    servers({ docs: { command: "node", args: ["x.js"], env: { LEVEL: "high" }, cwd: "./sub" } }),
  )
  expect(machine.shown().lines).toContain("- docs: node x.js (sets LEVEL; in ./sub)\n")
})

describe("a project's path that a link leads out of the project", () => {
  const text = servers({ docs: { command: "npx" } })
  const settings = '{"permissions":{}}'

  it.each([
    { what: "the file of permissions", link: ".claude/settings.local.json", to: ".claude/settings.json" },
    {
      what: "a file of permissions that is not there yet",
      link: ".claude/settings.local.json",
      to: ".claude/none.json",
    },
    { what: "the folder of permissions", link: ".claude", to: ".claude" },
  ])("is left alone: $what", async ({ link, to }) => {
    const machine = makeMachine()
    const own = machine.write("~/.claude/settings.json", settings)
    const project = machine.write(".mcp.json", text)
    mkdirSync(dirname(join(machine.cwd, link)), { recursive: true })
    symlinkSync(join(machine.home, to), join(machine.cwd, link))
    expect(machine.shown().lines).toContain("A link leads from here out of the project's folder.")
    await machine.run()
    expect(readFileSync(project, "utf8")).toContain("wrap")
    expect(readFileSync(own, "utf8")).toBe(settings)
    expect(existsSync(join(machine.home, ".claude", "none.json"))).toBe(false)
    expect(existsSync(join(machine.home, ".claude", "settings.local.json"))).toBe(false)
  })

  it("is left alone: the file of servers, also where another agent has it as its own", async () => {
    const machine = makeMachine()
    const own = machine.write("~/.cursor/mcp.json", text)
    symlinkSync(own, join(machine.cwd, ".mcp.json"))
    expect(setupViews(machine.look())).toMatchObject([
      { client: "claude-code", problem: { message: expect.stringContaining("A link leads from here") } },
      { client: "cursor", servers: [{ becomes: "wrapped" }] },
    ])
  })

  it("is refused where the link was put there after it was shown", async () => {
    const machine = makeMachine()
    const own = machine.write("~/elsewhere.json", text)
    const path = machine.write(".mcp.json", text)
    const plan = machine.look()
    rmSync(path)
    symlinkSync(own, path)
    await expect(machine.run(plan)).rejects.toThrow("has changed since the difference was shown")
    expect(readFileSync(own, "utf8")).toBe(text)
  })

  it("is as good as any where the link stays in the project", async () => {
    const machine = makeMachine()
    const real = machine.write("shared/mcp.json", text)
    symlinkSync("shared/mcp.json", join(machine.cwd, ".mcp.json"))
    await machine.run()
    expect(readFileSync(real, "utf8")).toContain("wrap")
  })
})
