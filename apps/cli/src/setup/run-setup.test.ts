import { once } from "node:events"
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { clientPrograms } from "@byleave/formats/clients"
import { afterEach, describe, expect, it } from "vitest"
import { clientTexts } from "../../../../packages/formats/src/clients/fixtures/client-texts.ts"
import { pathOf } from "./client-files.ts"
import { lookAround, type SetupLook } from "./look.ts"
import { lookAtUndo } from "./plan-undo.ts"
import { probeServers } from "./probe-servers.ts"
import { runSetup } from "./run-setup.ts"
import type { SetupHost } from "./setup-host.ts"
import { setupLines } from "./setup-lines.ts"
import { setupProgram } from "./setup-program.ts"
import { writeRecord } from "./setup-record.ts"
import { setupViews } from "./setup-views.ts"
import { undoSetup } from "./undo-setup.ts"

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A home, a project, and a service that takes everything. */
function makeHome(platform = "linux") {
  const folder = mkdtempSync(join(tmpdir(), "byleave-setup-"))
  folders.push(folder)
  const [home, cwd, data] = [join(folder, "home"), join(folder, "project"), join(folder, "data")]
  for (const made of [home, cwd, data]) mkdirSync(made)
  const config = join(data, "byleave.yaml")
  writeFileSync(config, "version: 1 # mine\n", { mode: 0o600 })
  const tokens = new Set<string>(["cline"])
  const host: SetupHost = {
    config,
    addToken: async (id) => {
      if (tokens.has(id)) return null
      tokens.add(id)
      return { id, secret: `byl_agent_${id}` }
    },
    revokeToken: async (id) => void tokens.delete(id),
    acceptServers: async () => null,
    unmovable: async () => new Map(),
  }
  const env = new Map([
    ["PATH", join(folder, "bin")],
    ["TRACKER", "1"],
    ["WEB", "2"],
    ["WEB_KEY", "3"],
  ])
  const io = { env, home, platform, cwd }
  const look: SetupLook = { data, io, machine: io, only: null, url: "http://127.0.0.1:7337" }
  const write = (path: string, text: string): string => {
    const whole = join(path.startsWith("~/") ? home : cwd, path.replace("~/", ""))
    mkdirSync(dirname(whole), { recursive: true })
    writeFileSync(whole, text)
    return whole
  }
  const setUp = () => runSetup(data, lookAround(look), host)
  return {
    bin: join(folder, "bin"),
    home,
    cwd,
    data,
    config,
    host,
    tokens,
    look,
    io,
    write,
    setUp,
    undo: (only: string | null = null) => undoSetup(data, lookAtUndo(data, only), host),
  }
}

/** Every file below a folder with its text and mode. */
function snapshot(folder: string): readonly (readonly [string, string, number])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => [path, readFileSync(path, "latin1"), statSync(path).mode])
}

function writeAll(place: ReturnType<typeof makeHome>): void {
  for (const { client: id, file, text } of clientTexts) {
    const client = clientPrograms.find((each) => each.id === id)
    const found = client?.files[file]
    const path = found === undefined ? null : pathOf(found, place.io)
    if (path === null) throw new Error("nowhere")
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

describe("setup of ten clients", () => {
  it("finds them all, gives a token to each that needs one, and is undone byte for byte", async () => {
    const place = makeHome()
    writeAll(place)
    const before = snapshot(dirname(place.home))
    const { plan, written } = await place.setUp()
    expect(new Set(plan.files.map(({ found }) => found.client.id))).toEqual(new Set(clientPrograms.map(({ id }) => id)))
    expect(plan.files.map(({ problem }) => problem).filter((problem) => problem !== null)).toEqual([])
    expect(written.length).toBeGreaterThanOrEqual(11)
    const withAddress = clientPrograms.map(({ id }) => (id === "cline" ? "cline-2" : id))
    expect([...place.tokens].sort()).toEqual(["cline", ...withAddress].sort())
    await place.undo()
    expect(snapshot(dirname(place.home))).toEqual(before)
    expect([...place.tokens]).toEqual(["cline"])
  })

  it("changes nothing the second time", async () => {
    const place = makeHome()
    writeAll(place)
    await place.setUp()
    const once = snapshot(dirname(place.home))
    const { written } = await place.setUp()
    expect(written).toEqual([])
    expect(snapshot(dirname(place.home))).toEqual(once)
  })

  it("shows no secret of headers, arguments and variables", () => {
    const place = makeHome()
    writeAll(place)
    place.write(
      "~/.cursor/mcp.json",
      '{"mcpServers":{"a":{"command":"x","args":["--api-key","sk-abcdef123456789"]},"b":{"url":"https://u.example/mcp","headers":{"Authorization":"Bearer zzz"}}}}',
    )
    const shown = JSON.stringify(setupViews(lookAround(place.look)))
    expect(shown).not.toMatch(/sk-abcdef|zzz/)
  })
})

describe("a client's file", () => {
  const text = '{ "mcpServers": { "files": { "command": "npx", "args": ["-y", "server"] } } }'

  it("that is a link stays one, and keeps who may read it", async () => {
    const place = makeHome()
    const real = place.write("~/dotfiles/cursor.json", text)
    chmodSync(real, 0o640)
    mkdirSync(join(place.home, ".cursor"))
    const link = join(place.home, ".cursor", "mcp.json")
    symlinkSync("../dotfiles/cursor.json", link)
    await place.setUp()
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(statSync(real).mode & 0o777).toBe(0o640)
    expect(readFileSync(real, "utf8")).toContain("wrap")
    await place.undo()
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readFileSync(real, "utf8")).toBe(text)
  })

  it("that is broken is told of by its line and left alone; the others are set up", async () => {
    const place = makeHome()
    const broken = place.write("~/.gemini/settings.json", '{\n  "mcpServers": {\n')
    const good = place.write("~/.cursor/mcp.json", text)
    const { plan } = await place.setUp()
    expect(plan.files.flatMap(({ problem }) => problem ?? [])).toMatchObject([{ path: broken, line: 3 }])
    expect(readFileSync(broken, "utf8")).toBe('{\n  "mcpServers": {\n')
    expect(readFileSync(good, "utf8")).toContain("wrap")
  })

  it("that has changed since it was shown is not written", async () => {
    const place = makeHome()
    const path = place.write("~/.cursor/mcp.json", text)
    const shown = lookAround(place.look)
    writeFileSync(path, text.replace("server", "other"))
    await expect(runSetup(place.data, shown, place.host)).rejects.toThrow("has changed since")
    expect(readFileSync(path, "utf8")).toBe(text.replace("server", "other"))
    expect(existsSync(join(place.data, "setup"))).toBe(false)
  })

  it("is what was shown when it is written, whatever appears in other files", async () => {
    const place = makeHome()
    place.write("~/.cursor/mcp.json", text)
    const shown = lookAround(place.look)
    const late = place.write(".mcp.json", text)
    writeFileSync(place.config, "version: 1\nservers:\n  files: { command: other }\n")
    const { plan } = await runSetup(place.data, shown, place.host)
    expect(setupViews(plan)).toEqual(setupViews(shown))
    expect(readFileSync(late, "utf8")).toBe(text)
  })

  it("keeps what people write into it, through another setup and its undo", async () => {
    const place = makeHome()
    const path = place.write("~/.cursor/mcp.json", text)
    await place.setUp()
    const added = readFileSync(path, "utf8").replace('"files"', '// mine\n"new": { "command": "uvx" },\n"files"')
    writeFileSync(path, added)
    await place.setUp()
    expect(readFileSync(path, "utf8")).toContain("// mine")
    expect(readFileSync(path, "utf8").match(/"wrap"/g)).toHaveLength(2)
    const { files } = await place.undo()
    expect(files).toMatchObject([{ how: "restored", kept: [] }])
    expect(readFileSync(path, "utf8")).toBe(text.replace('"files"', '// mine\n"new": { "command": "uvx" },\n"files"'))
    expect(existsSync(join(place.data, "setup"))).toBe(false)
  })

  it("of a project holds no token, and its permissions stay in the project", async () => {
    const place = makeHome()
    const path = place.write(
      ".mcp.json",
      '{"mcpServers":{"web":{"type":"http","url":"https://web.example/mcp","headers":{"A":"b"}}}}',
    )
    place.write(".vscode/mcp.json", '{"servers":{"web":{"url":"https://web.example/mcp","headers":{"A":"b"}}}}')
    const { plan } = await place.setUp()
    expect(readFileSync(path, "utf8")).toContain(`Bearer \${BYLEAVE_TOKEN}`)
    expect(readFileSync(join(place.cwd, ".claude", "settings.local.json"), "utf8")).toContain("mcp__web")
    expect(existsSync(join(place.home, ".claude"))).toBe(false)
    expect(plan.files[1]?.servers).toMatchObject([{ becomes: "left" }])
    await place.undo()
    expect(existsSync(join(place.cwd, ".claude"))).toBe(false)
  })
})

describe("the rules by which Claude Code does not ask", () => {
  it("are shown as they are written, and none is written that another server's tool could go by", async () => {
    const place = makeHome()
    place.write(".mcp.json", '{"mcpServers":{"web":{"command":"a"},"github__delete_repo":{"command":"b"}}}')
    const { plan } = await place.setUp()
    const written = JSON.parse(readFileSync(join(place.cwd, ".claude", "settings.local.json"), "utf8"))
    expect(written.permissions.allow).toEqual(["mcp__web"])
    const views = setupViews(plan)
    expect(views).toMatchObject([
      { allow: { servers: ["web"], rules: ["mcp__web"] }, notes: [expect.stringContaining("github__delete_repo")] },
    ])
    expect(setupLines(views, place.home, (_, text) => text)).toContain("no longer asks about web (mcp__web)")
  })
})

describe("an address that stands in a client's file", () => {
  it.each([
    { host: "127.0.0.1", becomes: "same" },
    { host: "localhost", becomes: "same" },
    { host: "[::1]", becomes: "addressed" },
  ])("at $host and the service's port is $becomes", ({ host, becomes }) => {
    const place = makeHome()
    place.write("~/.cursor/mcp.json", `{"mcpServers":{"a":{"url":"http://${host}:7337/mcp"}}}`)
    expect(lookAround(place.look).files.flatMap(({ servers }) => servers)).toMatchObject([{ becomes }])
  })
})

describe("the command byleave", () => {
  it.each([
    { platform: "linux", path: "~/.gemini/settings.json", isWhole: false },
    { platform: "win32", path: "~/.gemini/settings.json", isWhole: true },
    { platform: "win32", path: ".gemini/settings.json", isWhole: false },
  ])("on $platform in $path is its whole path: $isWhole", ({ platform, path, isWhole }) => {
    const place = makeHome()
    const gemini = clientPrograms.find(({ id }) => id === "gemini-cli")
    const file = gemini?.files.find(({ root }) => (root === "home") === path.startsWith("~/"))
    if (gemini === undefined || file === undefined) throw new Error("nowhere")
    const name = platform === "win32" ? "byleave.cmd" : "byleave"
    mkdirSync(place.bin)
    writeFileSync(join(place.bin, name), "", { mode: 0o755 })
    expect(setupProgram({ env: new Map([["PATH", place.bin]]), platform })({ client: gemini, file })).toBe(
      isWhole ? join(place.bin, name) : "byleave",
    )
  })
})

describe("names", () => {
  const server = (command: string, args: readonly string[] = []) =>
    JSON.stringify({ mcpServers: { files: { command, args } } })

  it("are shared by agents that start the same program, and differ where programs do", () => {
    const place = makeHome()
    place.write("~/.cursor/mcp.json", server("npx", ["-y", "@modelcontextprotocol/server-filesystem", place.home]))
    place.write("~/.gemini/settings.json", server("npx", ["-y", "@modelcontextprotocol/server-filesystem", place.cwd]))
    place.write("~/.qwen/settings.json", server("npx", ["-y", "another-server"]))
    const names = lookAround(place.look).files.map(({ found, servers }) => [found.client.id, servers[0]?.name])
    expect(new Map(names as [string, string][])).toEqual(
      new Map([
        ["gemini-cli", "files"],
        ["qwen-code", "files-qwen-code"],
        ["cursor", "files"],
      ]),
    )
  })

  it.each([
    { what: "the configuration", use: "" },
    { what: "a configuration with a template file", use: "policy: { use: [./team.yaml] }\n" },
  ])("of $what are not taken", ({ use }) => {
    const place = makeHome()
    writeFileSync(join(place.data, "team.yaml"), "version: 1\npolicy: {}\n")
    writeFileSync(place.config, `version: 1\n${use}servers:\n  files: { command: other }\n`)
    place.write("~/.cursor/mcp.json", server("npx", ["-y", "x"]))
    expect(lookAround(place.look).files[0]?.servers[0]?.name).toBe("files-cursor")
  })

  it("that stand for Byleave's own tools, or cannot be names, become others", () => {
    const place = makeHome()
    place.write(
      "~/.cursor/mcp.json",
      '{"mcpServers":{"byleave":{"command":"a"},"a__b":{"command":"b"},"…":{"command":"c"}}}',
    )
    expect(lookAround(place.look).files[0]?.servers.map(({ name }) => name)).toEqual(["server", "a_b", "server-cursor"])
  })
})

describe("words that look like byleave wrap", () => {
  const planned = (path: string, entry: unknown, place = makeHome()) => {
    place.write(path, JSON.stringify({ mcpServers: { files: entry } }))
    return lookAround(place.look).files[0]?.servers[0]
  }
  const behind = ["--name", "files", "--", "npx", "-y", "server"]
  const start = (place: ReturnType<typeof makeHome>) => ["wrap", "--data", place.data, ...behind]

  it.each([
    { command: "sh", args: ["-c", "exec node evil.js", "byleave", "wrap", ...behind] },
    { command: "node", args: ["evil.js", "byleave", "wrap", ...behind] },
    { command: "npx", args: ["-y", "byleave", "wrap", ...behind] },
    { command: "byleave", args: ["wrap", "--require", "./evil.js", ...behind] },
  ])("behind another program, or with other options, are wrapped as any server is: $command $args", (entry) => {
    expect(planned(".mcp.json", entry)).toMatchObject({ becomes: "wrapped" })
  })

  it.each([
    { what: "a program elsewhere", command: "/tmp/evil/byleave", args: ["wrap", "--", "x"], why: "/tmp/evil/byleave" },
    { what: "a program of the project", command: "./bin/byleave", args: ["wrap", "--", "x"], why: "./bin/byleave" },
    { what: "a data folder of the project", args: ["wrap", "--data", "./.byl", ...behind], why: "data folder ./.byl" },
    { what: "another data folder", args: ["wrap", "--data=/tmp/x", ...behind], why: "data folder /tmp/x" },
    { what: "the usual data folder", args: ["wrap", ...behind], why: "share/byleave" },
    { what: "another service", own: true, args: ["--url", "http://127.0.0.1:9"], why: "service at http://127.0.0.1:9" },
    { what: "BYLEAVE_DATA", args: ["wrap", ...behind], env: { BYLEAVE_DATA: "./.byl" }, why: "data folder ./.byl" },
    { what: "PATH", own: true, args: [], env: { PATH: "./bin" }, why: "sets PATH" },
    { what: "NODE_OPTIONS", own: true, args: [], env: { A: "b", NODE_OPTIONS: "--require ./x" }, why: "NODE_OPTIONS" },
    { what: "SHELLOPTS", own: true, args: [], env: { SHELLOPTS: "xtrace", PS4: "$(exec ./x)" }, why: "sets SHELLOPTS" },
    { what: "XDG_CACHE_HOME", own: true, args: [], env: { XDG_CACHE_HOME: "/tmp/x" }, why: "sets XDG_CACHE_HOME" },
    { what: "a list of variables", own: true, args: [], env: ["NODE_OPTIONS=--require ./x"], why: "environment" },
    { what: "lists in variables", own: true, args: [], env: { NODE_OPTIONS: ["-r ./x"] }, why: "environment" },
    { what: "BYLEAVE_SWITCHES", own: true, args: [], env: { BYLEAVE_SWITCHES: "x" }, why: "BYLEAVE_SWITCHES" },
    { what: "envFile", own: true, args: [], envFile: ".env", why: "sets envFile" },
  ])("with $what are not taken for this Byleave", ({ what: _what, own, args, why, ...entry }) => {
    const place = makeHome()
    const [wrap = "", ...rest] = start(place)
    const words = own === true ? [wrap, ...args, ...rest] : args
    const found = planned(".mcp.json", { command: "byleave", ...entry, args: words }, place)
    expect(found).toMatchObject({ becomes: "left", why: expect.stringContaining(why) })
  })

  it("are this Byleave's by its name or its path, with its data folder, written or from the environment", () => {
    const place = makeHome()
    const own = fileURLToPath(new URL("../../../../bin/byleave", import.meta.url))
    for (const command of ["byleave", own]) {
      expect(planned(".mcp.json", { command, args: start(place), env: { TOKEN: "x" } }, place)).toMatchObject({
        ...{ becomes: "same", name: "files" },
      })
    }
    const env = { TOKEN: "x", BYLEAVE_DATA: place.data }
    expect(planned(".mcp.json", { command: "byleave", args: ["wrap", "npx", "x"], env }, place)).toMatchObject({
      becomes: "same",
    })
    place.io.env.set("BYLEAVE_DATA", place.data)
    expect(planned(".mcp.json", { command: "byleave", args: ["wrap", "npx", "x"] }, place)).toMatchObject({
      becomes: "same",
    })
  })

  it("are shown with the names of the variables that are set for them, and no values", () => {
    const place = makeHome()
    const entry = { command: "byleave", args: start(place), env: { TOKEN: "secret", LEVEL: "high" } }
    const left = { ...entry, env: { TOKEN: "secret", SHELLOPTS: "xtrace" } }
    place.write(".mcp.json", JSON.stringify({ mcpServers: { files: entry, notes: left } }))
    const lines = setupLines(setupViews(lookAround(place.look)), place.home, (_, text) => text)
    expect(lines).toContain("files: behind Byleave already (sets TOKEN, LEVEL)")
    expect(lines).toContain("notes (sets TOKEN, SHELLOPTS): left as it is: the project's file sets SHELLOPTS")
    expect(lines).not.toContain("secret")
  })

  it("are shown in quotes where their names or those of variables read like our words", () => {
    const place = makeHome()
    const server = "files: behind Byleave already, and notes"
    const entry = { command: "byleave-fake", args: start(place), env: { "A): behind Byleave already (sets B": "x" } }
    place.write(".mcp.json", JSON.stringify({ mcpServers: { [server]: entry } }))
    const lines = setupLines(setupViews(lookAround(place.look)), place.home, (_, text) => text)
    expect(lines).toContain(`"${server}" (sets "A): behind Byleave already (sets B")`)
  })

  it("of people's own files may have a PATH, before and after they are wrapped; a project's are not wrapped with one", async () => {
    const place = makeHome()
    const server = { command: "npx", args: ["-y", "server"], env: { PATH: "/opt/bin" } }
    expect(planned("~/.cursor/mcp.json", server, place)).toMatchObject({ becomes: "wrapped" })
    await place.setUp()
    expect(lookAround(place.look).files[0]?.servers[0]).toMatchObject({ becomes: "same" })
    expect(planned(".mcp.json", server)).toMatchObject({ becomes: "left", why: expect.stringContaining("PATH") })
  })

  it.each([
    { command: "python", args: ["-m", "server"], env: { PYTHONPATH: "./src", FEATURE_FLAGS: "a" } },
    { command: "uvx", args: ["mcp-server-git"], env: { GIT_DEFAULT_PATH: "./", UV_INDEX_URL: "https://pypi.test" } },
    { command: "docker", args: ["run", "-i", "server"], env: { DOCKER_CONFIG: "./docker", NODE_TOKEN: "a" } },
  ])("of a project are wrapped with what only their server goes by, and behind Byleave then: $command", (server) => {
    expect(planned(".mcp.json", server)).toMatchObject({ becomes: "wrapped" })
    const place = makeHome()
    const behindIt = { command: "byleave", args: start(place), env: server.env }
    expect(planned(".mcp.json", behindIt, place)).toMatchObject({ becomes: "same" })
  })
})

it("a server that the service does not take up leaves everything as it was", async () => {
  const place = makeHome()
  const path = place.write(
    "~/.cursor/mcp.json",
    '{"mcpServers":{"web":{"url":"https://web.example/mcp","headers":{"A":"b"}}}}',
  )
  const before = snapshot(place.home)
  const host = { ...place.host, acceptServers: async () => "It was denied." }
  await expect(runSetup(place.data, lookAround(place.look), host)).rejects.toThrow("It was denied.")
  expect(snapshot(place.home)).toEqual(before)
  expect(readFileSync(place.config, "utf8")).toBe("version: 1 # mine\n")
  expect(existsSync(path)).toBe(true)
})

it("a server that wants a sign-in of the client's own stays as it is, and is told of", async () => {
  const place = makeHome()
  const asked = createServer((_, reply) => reply.writeHead(401).end()).listen(0, "127.0.0.1")
  await once(asked, "listening")
  const url = `http://127.0.0.1:${(asked.address() as AddressInfo).port}/mcp`
  const path = place.write(
    "~/.cursor/mcp.json",
    JSON.stringify({ mcpServers: { web: { url }, files: { command: "npx" } } }),
  )
  const { plan } = await runSetup(place.data, lookAround(place.look), { ...place.host, unmovable: probeServers })
  asked.close()
  expect(plan.files[0]?.servers).toMatchObject([
    { becomes: "left", why: expect.stringContaining("sign-in") },
    { becomes: "wrapped" },
  ])
  expect(JSON.parse(readFileSync(path, "utf8")).mcpServers.web).toEqual({ url })
  expect(readFileSync(place.config, "utf8")).toBe("version: 1 # mine\n")
})

it("a server that stays after all leaves the other servers the names that were shown", async () => {
  const place = makeHome()
  const url = "https://web.example/mcp"
  place.write("~/.gemini/settings.json", JSON.stringify({ mcpServers: { web: { httpUrl: url } } }))
  place.write("~/.cursor/mcp.json", '{"mcpServers":{"web":{"command":"npx"}}}')
  const shown = lookAround(place.look)
  const host = { ...place.host, unmovable: async () => new Map([[url, "it wants a sign-in."]]) }
  const { plan } = await runSetup(place.data, shown, host)
  const named = (of: typeof plan) => of.files.find(({ found }) => found.client.id === "cursor")?.servers[0]?.name
  expect(named(plan)).toBe(named(shown))
  expect(plan.files.flatMap(({ servers }) => servers)).toMatchObject([{ becomes: "left" }, { becomes: "wrapped" }])
})

it("undo does what was shown: a token that was recorded since is not revoked", async () => {
  const place = makeHome()
  place.write("~/.cursor/mcp.json", '{"mcpServers":{"web":{"url":"https://web.example/mcp","headers":{"A":"b"}}}}')
  await place.setUp()
  const shown = lookAtUndo(place.data, null)
  const { record } = shown
  writeRecord(place.data, { ...record, tokens: [...record.tokens, { client: "x", id: "cline", secret: "s" }] })
  expect(await undoSetup(place.data, shown, place.host)).toMatchObject({ tokens: ["cursor"] })
  expect([...place.tokens]).toEqual(["cline"])
})

it.each(["the agent's file", "byleave.yaml"])(
  "I1: undo writes nothing where %s has changed since it was shown",
  async (which) => {
    const place = makeHome()
    const web = '{"mcpServers":{"web":{"url":"https://web.example/mcp","headers":{"A":"b"}},"files":{"command":"npx"}}}'
    const cursor = place.write("~/.cursor/mcp.json", web)
    place.write("~/.gemini/settings.json", web.replace('"url"', '"httpUrl"'))
    await place.setUp()
    const shown = lookAtUndo(place.data, null)
    const changed = which === "byleave.yaml" ? place.config : cursor
    writeFileSync(changed, readFileSync(changed, "utf8").replace("npx", "npm").replace("# mine", "# yours"))
    const before = snapshot(dirname(place.home))
    await expect(undoSetup(place.data, shown, place.host)).rejects.toThrow(`${changed} has changed since it was shown`)
    expect(snapshot(dirname(place.home))).toEqual(before)
    expect(await place.undo()).toMatchObject({ files: [{}, {}], servers: ["web"] })
  },
)

it("undo of one client leaves the others, and the servers that they use", async () => {
  const place = makeHome()
  const web = '{"mcpServers":{"web":{"url":"https://web.example/mcp","headers":{"A":"b"}}}}'
  const [cursor, gemini] = [
    place.write("~/.cursor/mcp.json", web),
    place.write("~/.gemini/settings.json", web.replace('"url"', '"httpUrl"')),
  ]
  await place.setUp()
  await place.undo("cursor")
  expect(readFileSync(cursor, "utf8")).toBe(web)
  expect(readFileSync(gemini, "utf8")).toContain("/mcp/web")
  expect(readFileSync(place.config, "utf8")).toContain("web.example")
  writeFileSync(place.config, `${readFileSync(place.config, "utf8")}# later\n`)
  await place.undo()
  expect(readFileSync(place.config, "utf8")).not.toContain("web.example")
  expect(readFileSync(place.config, "utf8")).toContain("# later")
})

it.each([
  ["linux", "/h/.config/Code/User/mcp.json", "/h/.config/goose/config.yaml"],
  ["darwin", "/h/Library/Application Support/Code/User/mcp.json", "/h/.config/goose/config.yaml"],
  [
    "win32",
    "C:\\h\\AppData\\Roaming\\Code\\User\\mcp.json",
    "C:\\h\\AppData\\Roaming\\Block\\goose\\config\\config.yaml",
  ],
])("files are where %s has them", (platform, code, goose) => {
  const home = platform === "win32" ? "C:\\h" : "/h"
  const machine = { platform, home, env: new Map<string, string>(), cwd: null }
  const places = (id: string) =>
    clientPrograms.find((client) => client.id === id)?.files.map((file) => pathOf(file, machine)) ?? []
  expect(places("vs-code")[0]).toBe(code)
  expect(places("goose")).toContain(goose)
  const moved = { ...machine, env: new Map([["CODEX_HOME", "/other"]]) }
  const [codex] = clientPrograms.find(({ id }) => id === "codex")?.files ?? []
  if (codex !== undefined && platform !== "win32") expect(pathOf(codex, moved)).toBe("/other/config.toml")
})
