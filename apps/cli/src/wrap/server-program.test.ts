import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { serverProgram } from "./server-program.ts"

let folder: string
let other: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "byleave-program-"))
  other = mkdtempSync(join(tmpdir(), "byleave-program-"))
  for (const each of [folder, other]) {
    mkdirSync(join(each, "node_modules", "local-server"), { recursive: true })
    mkdirSync(join(each, "node_modules", ".bin"))
    mkdirSync(join(each, "bin"))
    mkdirSync(join(each, "dist"))
    writeFileSync(join(each, "package.json"), '{ "name": "project", "bin": { "own-mcp": "server.js" } }')
    for (const name of ["server.js", "server.sh", "notes.py", "server.jar", "dist/index.js", "hook.js"]) {
      writeFileSync(join(each, name), "")
    }
    for (const name of ["bin/my-server", "node_modules/.bin/local-mcp"]) {
      writeFileSync(join(each, name), "")
      chmodSync(join(each, name), 0o755)
    }
  }
})
afterAll(() => {
  for (const each of [folder, other]) rmSync(each, { recursive: true })
})

type Line = readonly string[]

function programIn(cwd: string, [command = "", ...args]: Line, env: Readonly<Record<string, string>> = {}): string {
  const path = ["PATH", join(folder, "bin")] as const
  return serverProgram({ command, args, cwd, env: new Map([path, ...Object.entries(env)]) }, "the key of these tests")
}

const programOf = (...line: Line) => programIn(folder, line).replaceAll(folder, "HERE")

describe("the program of a wrapped server", () => {
  it.each([
    { line: ["node", "server.js", "/tmp"], program: "node HERE/server.js" },
    { line: ["node", "server.js", "/not/there"], program: "node HERE/server.js /not/there" },
    { line: ["node", "dist/index"], program: "node HERE/dist/index.js" },
    { line: ["node", "--no-warnings", "/opt/server.js"], program: "node /opt/server.js" },
    { line: ["node", "--require", "./x.js", "server.js"], program: "node --require ./x.js server.js (in HERE)" },
    { line: ["node", "/opt/x.js", "serve"], program: "node /opt/x.js serve (in HERE)" },
    { line: ["node", "/opt/x.js", "--port", "80", "stdio"], program: "node /opt/x.js --port 80 stdio" },
    { line: ["./run me", "stdio"], program: '"HERE/run me" stdio (in HERE)' },
    { line: ["my-server", "--stdio", "/tmp"], program: "HERE/bin/my-server --stdio /tmp" },
    { line: ["my-server", "--stdio", "on", "/tmp"], program: "HERE/bin/my-server --stdio on /tmp (in HERE)" },
    { line: ["my-server", "server.js"], program: "HERE/bin/my-server server.js (in HERE)" },
    { line: ["not-there"], program: "not-there (in HERE)" },
    {
      line: ["npx", "-y", "@modelcontextprotocol/server-filesystem", "/tmp"],
      program: "npx @modelcontextprotocol/server-filesystem",
    },
    { line: ["npx", "-y", "@scope/server-files@1.2", "/tmp"], program: "npx @scope/server-files@1.2" },
    { line: ["npx", "local-server"], program: "npx local-server (in HERE)" },
    { line: ["npx", "local-mcp"], program: "npx local-mcp (in HERE)" },
    { line: ["npx", "own-mcp"], program: "npx own-mcp (in HERE)" },
    { line: ["npx", "-y", "mcp-remote", "https://a.test/mcp"], program: "npx mcp-remote https://a.test/mcp" },
    { line: ["npx", "-y", "@playwright/mcp@latest", "--headless"], program: "npx @playwright/mcp@latest --headless" },
    { line: ["cmd", "/c", "npx", "-y", "files-mcp"], program: "cmd /c npx files-mcp" },
    { line: ["uvx", "mcp-server-git", "--repository", "/tmp"], program: "uvx mcp-server-git --repository /tmp" },
    { line: ["uvx", "mcp-server-git==1.2", "/tmp"], program: "uvx mcp-server-git==1.2" },
    { line: ["uvx", "--from", "git+https://a.test/x", "x"], program: "uvx --from git+https://a.test/x x (in HERE)" },
    { line: ["uv", "run", "my-server"], program: "uv run my-server (in HERE)" },
    { line: ["uv", "--directory", "/srv/x", "run", "x"], program: "uv --directory /srv/x run x (in /srv/x)" },
    { line: ["uv", "run", "x", "--directory", "/srv/x"], program: "uv run x --directory /srv/x (in HERE)" },
    { line: ["deno", "run", "-A", "npm:files"], program: "deno run -A npm:files (in HERE)" },
    { line: ["python3.12", "-u", "notes.py"], program: "python3.12 HERE/notes.py" },
    { line: ["python3.12", "-m", "elsewhere.notes"], program: "python3.12 -m elsewhere.notes (in HERE)" },
    { line: ["sh", "-c", "a | b"], program: 'sh -c "a | b" (in HERE)' },
    { line: ["npm", "start"], program: "npm start (in HERE)" },
    {
      line: ["docker", "run", "-i", "--rm", "-v", "/tmp:/data", "mcp/files", "x"],
      program: "docker run -i --rm -v /tmp:/data mcp/files x",
    },
    { line: ["docker", "compose", "run", "files"], program: "docker compose run files (in HERE)" },
  ])("$line is $program", ({ line, program }) => {
    expect(programOf(...line)).toBe(program)
  })

  it.each<{ line: Line }>([
    { line: ["node", "dist/index"] },
    { line: ["node", "--import=./hook.js", "/opt/server.js"] },
    { line: ["sh", "server.sh"] },
    { line: ["bash", "-c", "./server.sh"] },
    { line: ["bash", "-c", "./server.sh https://a.test"] },
    { line: ["java", "-jar", "server.jar"] },
    { line: ["ruby", "server.rb"] },
    { line: ["bun", "run", "start"] },
    { line: ["uv", "run", "my-server"] },
    { line: ["deno", "task", "files"] },
    { line: ["npx", "local-mcp"] },
    { line: ["docker", "compose", "run", "files"] },
    { line: ["python", "-m", "notes"] },
    { line: ["my-server", "./server.js"] },
    { line: ["npx", "tsx", "dist/index"] },
    { line: ["npx", "-c", "node dist/index"] },
    { line: ["uvx", "fastmcp", "run", "server.py"] },
    { line: ["docker", "--debug", "compose", "up"] },
    { line: ["python", "-m", "fastmcp", "run", "server.py:app"] },
    { line: ["python", "-m", "cProfile", "serve"] },
    { line: ["python", "-m", "uvicorn", "main:app"] },
    { line: ["gmake", "-s", "serve"] },
    { line: ["/usr/bin/task"] },
    { line: ["corepack", "yarn", "start"] },
    { line: ["volta", "run", "npm", "start"] },
    { line: ["pnpx", "files-mcp"] },
    { line: ["npx", "-y", "c8-mcp", "node", "server"] },
    { line: ["npx", "gulp"] },
    { line: ["npx", "-y", "guard-mcp", "--", "/bin/x"] },
    { line: ["npx", "server.tgz"] },
    { line: ["npx", "x-server@."] },
    { line: ["npx", "servers/x"] },
    { line: ["npx", "-w", "x", "files-mcp"] },
    { line: ["npx", "files-mcp", "/a:./b"] },
    { line: ["uvx", "files_mcp.whl"] },
    { line: ["docker", "run", "-v", "./:/app", "x"] },
    { line: ["docker", "run", "--env-file", ".env", "x"] },
    { line: ["my-server", "-xserver"] },
    { line: ["tsx", "/opt/server.ts"] },
    { line: ["bun", "/opt/server.ts"] },
  ])("$line in another folder is another program", ({ line }) => {
    expect(programIn(folder, line)).not.toBe(programIn(other, line))
  })

  it.each<{ name: string; one: Line; two: Line }>([
    { name: "what a package runs", one: ["npx", "tsx", "a.ts"], two: ["npx", "tsx", "b.ts"] },
    { name: "a module's word", one: ["python", "-m", "cProfile", "a"], two: ["python", "-m", "cProfile", "b"] },
    { name: "what follows --", one: ["uvx", "mcpo", "--", "a"], two: ["uvx", "mcpo", "--", "b"] },
    { name: "a host", one: ["npx", "mcp-remote", "a.test"], two: ["npx", "mcp-remote", "b.test"] },
    { name: "a file's word", one: ["node", "/x.js", "a"], two: ["node", "/x.js", "b"] },
    { name: "a folder of code", one: ["node", "/x.js", "--plugin", "/tmp"], two: ["node", "/x.js", "--plugin", "/"] },
    { name: "a folder that is run", one: ["npx", "x-mcp", "node", "/tmp"], two: ["npx", "x-mcp", "node", "/"] },
    { name: "a file behind a module", one: ["python", "-m", "x", "a.py"], two: ["python", "-m", "x", "b.py"] },
    { name: "what a project's command runs", one: ["uv", "run", "python", "a"], two: ["uv", "run", "python", "b"] },
    { name: "a task behind a switch", one: ["deno", "-q", "task", "a"], two: ["deno", "-q", "task", "b"] },
    { name: "another task", one: ["deno", "task", "a"], two: ["deno", "task", "b"] },
    {
      name: "another address",
      one: ["npx", "mcp-remote", "https://a.test"],
      two: ["npx", "mcp-remote", "https://b.test"],
    },
    {
      name: "another address in a switch",
      one: ["node", "/x.js", "--to=https://a.test"],
      two: ["node", "/x.js", "--to=https://b.test"],
    },
    { name: "an unknown command with other arguments", one: ["/bin/proxy", "a"], two: ["/bin/proxy", "b"] },
    {
      name: "a file in a secret's place",
      one: ["sudo", "--auth-type", "/bin/a"],
      two: ["sudo", "--auth-type", "/bin/b"],
    },
    { name: "a word in a secret's place", one: ["bash", "--token", "a"], two: ["bash", "--token", "b"] },
    { name: "a file in a variable of a shell", one: ["sh", "-c", "KEY=/a $KEY b"], two: ["sh", "-c", "KEY=/b $KEY b"] },
    {
      name: "a long line's end",
      one: ["sh", "-c", `${"#".repeat(5_000)}a`],
      two: ["sh", "-c", `${"#".repeat(5_000)}b`],
    },
  ])("$name is another program", ({ one, two }) => {
    expect(programOf(...one)).not.toBe(programOf(...two))
  })

  it.each([
    ...["NODE_OPTIONS", "PYTHONPATH", "LD_PRELOAD", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "BUN_OPTIONS", "VIRTUAL_ENV"],
    ...["npm_config_node_options", "NPM_CONFIG_REGISTRY", "npm_config_@scope:registry", "UV_INDEX_URL", "PERLLIB"],
    ...["PYTHONUSERBASE", "ZDOTDIR", "GEM_PATH", "BUNDLE_GEMFILE", "DOCKER_HOST"],
    ...["HOME", "USERPROFILE", "XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "APPDATA"],
  ])("%s makes another program", (name) => {
    const line = ["python", "/opt/server.py"]
    const values = ["/a.js", "/b.js", "./c.js"].map((value) => programIn(folder, line, { [name]: value }))
    expect(new Set([programIn(folder, line), ...values]).size).toBe(4)
    expect(programIn(folder, line, { [name]: "./c.js" })).not.toBe(programIn(other, line, { [name]: "./c.js" }))
  })

  it.each([
    { name: "npm_config_user_agent", value: "npm/11.0.0 node/v24.0.0" },
    { name: "npm_config_//registry.test/:_authToken", value: "npm_a1b2c3" },
    { name: "VIRTUAL_ENV", value: "/home/me/.venv" },
  ])("$name is nothing to npx", ({ name, value }) => {
    expect(programIn(folder, ["npx", "files-mcp"], { [name]: value })).toBe("npx files-mcp")
  })

  it("the user's own home is nothing to anybody", () => {
    expect(programIn(folder, ["npx", "files-mcp"], { HOME: userInfo().homedir })).toBe("npx files-mcp")
  })

  it("the settings of npm in a folder make another program", () => {
    const line = ["npx", "files-mcp"]
    expect(programIn(folder, line)).toBe(programIn(other, line))
    writeFileSync(join(folder, "dist", ".npmrc"), "registry=https://a.test")
    expect(programIn(join(folder, "dist"), line)).toBe(`npx files-mcp (in ${join(folder, "dist")})`)
  })

  it("the place where an AppImage is mounted makes no other program", () => {
    const mounted = ["/tmp/.mount_a1", "/tmp/.mount_b2"].map((place) =>
      programIn(folder, ["npx", "files-mcp"], { APPDIR: place, LD_LIBRARY_PATH: `${place}/usr/lib:` }),
    )
    expect(mounted[0]).toBe("LD_LIBRARY_PATH=$APPDIR/usr/lib: npx files-mcp")
    expect(mounted[1]).toBe(mounted[0])
  })
})

describe("secrets among the words", () => {
  const secrets = ["s3cr3t-of-the-first-day", "s3cr3t-of-the-other-day"]

  it.each<{ line: (secret: string) => Line; shown: string }>([
    { line: (secret) => ["docker", "run", "-e", `API_KEY=${secret}`, "x"], shown: "docker run -e API_KEY=… x" },
    { line: (secret) => ["npx", "x-mcp", "--api-token", secret], shown: "npx x-mcp --api-token …" },
    { line: (secret) => ["/bin/x-server", `--token=${secret}`], shown: "/bin/x-server --token=…" },
    {
      line: (secret) => ["/bin/x-server", "--header", `Authorization: Bearer ${secret}`],
      shown: '/bin/x-server --header "Authorization: …"',
    },
    { line: (secret) => ["npx", "pg-mcp", `postgres://me:${secret}@db/x`], shown: "npx pg-mcp postgres://…@db/x" },
    {
      line: (secret) => ["npx", "mcp-remote", `https://a.test/mcp?api_key=${secret}`],
      shown: "npx mcp-remote https://a.test/mcp?api_key=…",
    },
    { line: (secret) => ["sh", "-c", `API_KEY=${secret} /bin/x`], shown: 'sh -c "API_KEY=… /bin/x" (in HERE)' },
    {
      line: (secret) => ["sh", "-c", `API_KEY=${secret} /bin/x https://me:${secret}@a.test`],
      shown: 'sh -c "API_KEY=… /bin/x https://…@a.test" (in HERE)',
    },
  ])("$shown: a secret is not shown, and a new one makes no other program", ({ line, shown }) => {
    expect(secrets.map((secret) => programOf(...line(secret)))).toEqual([shown, shown])
  })

  it.each<{ line: (secret: string) => Line }>([
    { line: (secret) => ["/bin/proxy", secret] },
    { line: (secret) => ["npx", "mcp-remote", `https://a.test/${secret}/mcp`] },
    { line: () => ["/bin/proxy", "--password", "weak"] },
  ])("what may be one is not shown, but counted by a digest that only this installation can make", ({ line }) => {
    const [command = "", ...args] = line("aB3dE5gH7jK9mN1pQ3sT5vW7")
    const started = { command, args, cwd: folder, env: new Map<string, string>() }
    const program = serverProgram(started, "a key")
    expect(program).toMatch(/… ?.*\(with what is not shown: [\da-f]{16}\)$/)
    expect(program).not.toMatch(/aB3dE5|weak/)
    expect(serverProgram(started, "another key")).not.toBe(program)
  })
})
