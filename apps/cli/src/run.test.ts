import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { startFolder } from "./files/start-folder.ts"
import { run } from "./run.ts"
import { compiled, main } from "./service/fixtures/service-process.ts"
import { createOutput } from "./terminal/create-output.ts"
import { version } from "./version.ts"

const fixture = (name: string) =>
  fileURLToPath(new URL(`../../../packages/formats/src/fixtures/${name}`, import.meta.url))

type Result = { readonly code: number; readonly stdout: string; readonly stderr: string }
type Surroundings = {
  readonly files?: Record<string, string | Uint8Array>
  readonly env?: Record<string, string>
  readonly isTerminal?: boolean
  readonly stdin?: string
}

/** Runs a command in this process, with files from memory. */
async function byleave(
  argv: readonly string[],
  { files = {}, env = {}, isTerminal = false, stdin = "" }: Surroundings = {},
): Promise<Result> {
  const written = { stdout: "", stderr: "" }
  const output = (name: keyof typeof written) =>
    createOutput({
      isTerminal,
      columns: () => undefined,
      write: (text) => {
        written[name] += text
      },
    })
  const byPath = new Map(Object.entries(files).map(([name, text]) => [`/work space/${name}`, text]))
  const code = await run({
    argv,
    env: new Map(Object.entries(env)),
    stdout: output("stdout"),
    stderr: output("stderr"),
    cwd: "/work space",
    home: "/home/ada",
    platform: "linux",
    userName: "ada",
    readFile: async (path) => {
      const text = byPath.get(path)
      if (text === undefined) throw Object.assign(new Error("not found"), { code: "ENOENT" })
      return typeof text === "string" ? new TextEncoder().encode(text) : text
    },
    readStdin: async () => new TextEncoder().encode(stdin),
    realPaths: () => (path) => [path],
    now: () => 0,
    askSecret: async () => null,
    untilStopped: async () => {},
    openTerminal: () => null,
    streams: () => ({ input: process.stdin, output: process.stdout }),
    pid: 1,
    endProcess: () => {},
    pause: async () => {},
    openBrowser: async () => false,
    runProgram: async () => ({ kind: "missing" }),
    outputOf: async () => null,
  })
  return { code, ...written }
}

/** Runs the real command in a process of its own. */
function byleaveProcess(argv: readonly string[], options: { cwd?: string } = {}): Promise<Result> {
  const env = { PATH: process.env.PATH, TRACKER_TOKEN: "t0ken-value", HOME: "/home/ada", NODE_COMPILE_CACHE: compiled }
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...argv], { env, ...options }, (error, stdout, stderr) => {
      resolve({ code: Number(error?.code ?? 0), stdout, stderr })
    })
  })
}

const small =
  'version: 1\nservers: { files: { command: x } }\npolicy:\n  modes: { forbid: [autonomous] }\n  rules:\n    - allow: "files(read_*)"\n    - ask: "files(write_*)"\n      when: { path: { under: ./a } }\n'
const files = { "byleave.yaml": small }

describe("policy schema", () => {
  it("prints the schema of the file, for editors", async () => {
    const { stdout, code } = await byleave(["policy", "schema"], {})
    expect(code).toBe(0)
    expect(Object.keys(JSON.parse(stdout).properties)).toContain("policy")
  })
})

describe("policy explain", () => {
  it.each([
    ["k8s_delete_pod", "hide"],
    ["admin_users", "hide"],
    ["k8s_list_pods", "allow"],
    ["jit_token", "allow"],
    ["create_service", "ask"],
    ["pod_config_update", "hide"],
  ])("R5, R17, R20-R23: with the lists of the example, %s is %s", async (tool, decision) => {
    const result = await byleaveProcess([
      "policy",
      "explain",
      "--config",
      fixture("per-server.yaml"),
      "mcp-duplo",
      tool,
      "--json",
    ])
    expect(result).toMatchObject({ code: 0, stderr: "" })
    expect(JSON.parse(result.stdout)).toMatchObject({
      decision,
      access: expect.any(String),
      reason: expect.any(String),
    })
  })

  it("names the rule that decided and where it stands", async () => {
    const { stdout } = await byleave(["policy", "explain", "files", "read_file", "--json"], { files })
    expect(JSON.parse(stdout)).toMatchObject({
      decision: "allow",
      rule: { text: 'allow: "files(read_*)"', where: "byleave.yaml:6:7" },
      access: "read",
      accessFrom: "name",
      mode: "ask",
      session: null,
    })
  })

  it("has no rule to name where the default decides", async () => {
    const { stdout, code } = await byleave(["policy", "explain", "files", "other", "--json"], { files })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ decision: "ask", rule: null, access: "write" })
  })

  it.each([
    ["notes", "[]", "allow"],
    ["notes", "[--root=data]", "ask"],
    ["sh", '[-c, "cd data && notes"]', "ask"],
  ])("judges a relative path from where the file starts %s %s: %s", async (command, args, decision) => {
    const server = `{ command: ${command}, args: ${args}, cwd: /srv }`
    const rule = '{ allow: "files(r)", when: { path: { under: /srv/public } } }'
    const text = `version: 1\nservers: { files: ${server} }\npolicy: { rules: [${rule}] }\n`
    const argv = ["policy", "explain", "files", "r", "--json", "--args", '{"path":"public/x"}']
    const { stdout } = await byleave(argv, { files: { "byleave.yaml": text } })
    expect(JSON.parse(stdout).decision).toBe(decision)
  })

  it("judges conditions by --args and links by where they lead", async () => {
    const folder = mkdtempSync(join(tmpdir(), "byleave-"))
    writeFileSync(
      join(folder, "byleave.yaml"),
      'version: 1\nservers: { files: { command: x } }\npolicy: { rules: [{ allow: "files(w)", when: { path: { under: . } } }] }\n',
    )
    symlinkSync("/etc", join(folder, "link"))
    const decide = async (path: string) => {
      const result = await byleaveProcess(
        ["policy", "explain", "files", "w", "--json", "--args", JSON.stringify({ path })],
        { cwd: folder },
      )
      return JSON.parse(result.stdout).decision
    }
    expect(await decide(join(folder, "a.txt"))).toBe("allow")
    expect(await decide(join(folder, "../a.txt"))).toBe("ask")
    expect(await decide(join(folder, "link/passwd"))).toBe("ask")
  })

  it("says in text what it decided, why, and what it could not know", async () => {
    const { stdout, code } = await byleave(["policy", "explain", "files", "read_file"], { files })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^files\(read_file\) allow\n/)
    expect(stdout).toContain("byleave.yaml:6:7")
    expect(stdout).toContain("judging by its name")
    expect(stdout).not.toContain("--args")
    const unjudged = await byleave(["policy", "explain", "files", "write_file"], { files })
    expect(unjudged.stdout).toMatch(/ ask\n(?:.*\n)*.*Without --args/)
  })

  it("knows what is not a tool", async () => {
    const { stdout } = await byleave(["policy", "explain", "files", "file:///x", "--kind", "resource", "--json"], {
      files,
    })
    expect(JSON.parse(stdout)).toMatchObject({ decision: "allow", access: null })
  })

  it.each(["unattended", "observe"])("tells what the mode %s makes of it", async (mode) => {
    const { stdout } = await byleave(["policy", "explain", "files", "other", "--mode", mode, "--json"], { files })
    expect(JSON.parse(stdout)).toMatchObject({ mode, decision: mode === "unattended" ? "deny" : "allow" })
  })

  type Case = { name: string; argv: readonly string[]; code: number; says: string; config?: string }
  const cases: readonly Case[] = [
    { name: "an unknown server", argv: ["fils", "x"], code: 1, says: "Did you mean files?" },
    { name: "a forbidden mode", argv: ["files", "x", "--mode", "autonomous"], code: 1, says: "forbids" },
    {
      name: "a missing file",
      argv: ["files", "x", "--config", "other.yaml"],
      code: 1,
      says: "Cannot read /work space/other.yaml: there is no such file",
    },
    { name: "no file's name", argv: ["files", "x", "--config", ""], code: 2, says: "Enter a file name" },
    { name: "no tool's name", argv: ["files", ""], code: 2, says: "Enter a tool name" },
    { name: "no name after @", argv: ["files", "x", "--args", "@"], code: 2, says: "--args @arguments.json" },
    { name: "arguments that are not there", argv: ["files", "x", "--args", "@a"], code: 2, says: "/work space/a" },
    {
      name: "a wrong character, told once",
      argv: ["files", "x", "--args", "{path: 1}"],
      code: 2,
      says: "--args, character 2: The text is not JSON: a key in double quotes belongs here, but",
    },
    { name: "a bad configuration", argv: ["files", "x"], code: 1, says: "byleave.yaml:1:10", config: "version: 2\n" },
    { name: "an unknown option", argv: ["files", "x", "--jsn"], code: 2, says: "Did you mean --json?" },
    { name: "a missing tool", argv: ["files"], code: 2, says: "tool" },
    { name: "one word too many", argv: ["files", "x", "y"], code: 2, says: "too many" },
    { name: "an unknown mode", argv: ["files", "x", "--mode", "yolo"], code: 2, says: "autonomous" },
    { name: "arguments that are no JSON", argv: ["files", "x", "--args", "{path: 1}"], code: 2, says: "--args" },
    { name: "arguments that are no object", argv: ["files", "x", "--args", "[1]"], code: 2, says: "JSON object" },
    { name: "a number as arguments", argv: ["files", "x", "--args", "9007199254740993"], code: 2, says: "JSON object" },
    { name: "a key twice", argv: ["files", "x", "--args", '{"a":1,"a":2}'], code: 2, says: "twice" },
    {
      name: "10,000-deep arguments",
      argv: ["files", "x", "--args", `{"a":${"[".repeat(10_000)}`],
      code: 2,
      says: "deep",
    },
    {
      name: "10 MB of arguments",
      argv: ["files", "x", "--args", `{"a":"${"x".repeat(10_000_000)}"}`],
      code: 2,
      says: "larger",
    },
  ]
  it.each(cases)("answers $name with exit code $code", async ({ argv, code, says, config }) => {
    const result = await byleave(["policy", "explain", ...argv], { files: { "byleave.yaml": config ?? small } })
    expect(result.code).toBe(code)
    expect(result.stdout).toBe("")
    expect(result.stderr).toContain(says)
    expect(result.stderr.length).toBeLessThan(2000)
  })
})

it.each([
  ["policy", "explain", "files", "x", "--jsn", "--json"],
  ["policy", "explain", "files", "--json"],
  ["policy", "explain", "files", "", "--json"],
  ["policy", "explain", "files", "x", "--args", "[", "--json"],
  ["policy", "check", "--config", "", "--json"],
  ["policy", "--json"],
  ["--json"],
])("with --json, wrong use is one object, too: %s %s %s %s %s %s %s", async (...argv) => {
  const { code, stdout, stderr } = await byleave(argv, { files })
  expect(code).toBe(2)
  expect(stderr).not.toBe("")
  const { error, ...rest } = JSON.parse(stdout)
  expect(rest).toEqual({ code: "wrong-use", problems: [] })
  expect(error).toMatch(/^[^(].*\w/)
})

it.each([
  { name: "a file", args: "@deep/args.json" },
  { name: "standard input", args: "-" },
])("arguments come from $name, too", async ({ args }) => {
  const inside = '\uFEFF{"path":"/work space/a/b"}'
  const result = await byleave(["policy", "explain", "files", "write_x", "--json", "--args", args], {
    files: { ...files, "deep/args.json": inside },
    stdin: inside,
  })
  expect(result.code).toBe(0)
  expect(JSON.parse(result.stdout)).toMatchObject({ decision: "ask", rule: { where: "byleave.yaml:7:7" } })
})

it("with --json, a failure is one object, too", async () => {
  const broken = await byleave(["policy", "explain", "files", "x", "--json"], {
    files: { "byleave.yaml": "version: 2\n" },
    isTerminal: true,
  })
  expect(broken.code).toBe(1)
  expect(JSON.parse(broken.stdout)).toMatchObject({ error: expect.any(String), problems: [{ line: 1, column: 10 }] })
  expect(broken.stdout).not.toContain("u001b")
})

describe("policy check", () => {
  it("accepts the example of the documentation", async () => {
    const result = await byleaveProcess(["policy", "check", "--config", fixture("byleave.yaml"), "--json"])
    expect(result).toMatchObject({ code: 0, stderr: "" })
    expect(JSON.parse(result.stdout)).toMatchObject({ ok: true, format: "byleave", servers: 2, rules: 5, problems: [] })
  })

  it("prints every problem with its place", async () => {
    const text = "version: 1\nservers:\n  a__b: { command: x }\nwait: soon\n"
    const result = await byleave(["policy", "check"], { files: { "byleave.yaml": text } })
    expect(result.code).toBe(1)
    expect(result.stdout).toMatch(
      /^byleave\.yaml:3:3 error .*\nbyleave\.yaml:4:7 error .*\nbyleave\.yaml is invalid: 2 errors, 0 warnings/,
    )
    expect(result.stdout).toContain("rules are compared with each other only after that")
    const json = await byleave(["policy", "check", "--json"], { files: { "byleave.yaml": text } })
    expect(json.code).toBe(1)
    expect(JSON.parse(json.stdout)).toMatchObject({
      ok: false,
      problems: [{ line: 3, column: 3, code: "bad-server-id" }, { line: 4 }],
    })
  })

  it("lists what is odd about rules beside errors elsewhere", async () => {
    const rules = ['hide: "files(read_*)"', 'allow: "files(read_file)"', "deny: fils", "deny: broken"]
    const text = `version: 1\nservers: { files: { command: x } }\npolicy:\n  rules:\n${rules.map((rule) => `    - ${rule}\n`).join("")}wait: soon\n`
    const { code, stdout } = await byleave(["policy", "check"], { files: { "byleave.yaml": text } })
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^byleave.yaml:6:7 warning .*never applies.*\n.*:7:7 warning .*`files`.*\n.*:8:7 warning .*\n.*:9:7 error .*\n.*invalid: 1 error, 3 warnings\. Fix the errors and check again\.\n$/,
    )
    const server = text.replace("command: x }", "command: x }, broken: { cmd: x }")
    const partly = await byleave(["policy", "check"], { files: { "byleave.yaml": server } })
    expect(partly.stdout).not.toContain("8:7")
    expect(partly.stdout).toContain("Did you mean `command`?")
  })

  it("names rules that can never decide anything", async () => {
    const text =
      'version: 1\nservers: { files: { command: x } }\npolicy:\n  rules:\n    - hide: "files(read_*)"\n    - allow: "files(read_file)"\n'
    const result = await byleave(["policy", "check"], { files: { "byleave.yaml": text } })
    expect(result.code).toBe(0)
    expect(result.stdout).toContain("byleave.yaml:6:7 warning")
    expect(result.stdout).toContain("1 warning")
  })

  it("refuses what is not UTF-8, and what is not there", async () => {
    const latin = await byleave(["policy", "check"], { files: { "byleave.yaml": new Uint8Array([0x76, 0xff, 0xfe]) } })
    expect(latin).toMatchObject({ code: 1, stdout: "" })
    expect(latin.stderr).toContain("Save it as UTF-8")
    const folder = await byleaveProcess(["policy", "check", "--config", "/"])
    expect(folder).toMatchObject({ code: 1, stderr: expect.stringContaining("it is a folder") })
    const below = await byleaveProcess(["policy", "check", "--config", `${main}/x`])
    expect(below).toMatchObject({ code: 1, stderr: expect.stringContaining("is a file, not a folder") })
  })
})

describe("what is printed", () => {
  const hostile = {
    "byleave.yaml":
      'version: 1\nservers: { files: { command: x } }\npolicy: { rules: [{ deny: files, reason: "\\e[2J\\u202e" }] }\n',
  }

  it("never steers a terminal", async () => {
    const steering = /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/
    const argv = ["policy", "explain", "files", "x\x1b[31m\x9b\u202e"]
    for (const result of [
      await byleave(argv, { files: hostile }),
      await byleave([...argv, "--json"], { files: hostile }),
      await byleave(["policy", "--\x1b[31m"], {}),
    ]) {
      expect(result.stdout + result.stderr).not.toMatch(steering)
    }
    expect(JSON.parse((await byleave([...argv, "--json"], { files: hostile })).stdout).tool).toBe("x\x1b[31m\x9b\u202e")
  })

  it("marks what names hide once", async () => {
    const text =
      'version: 1\nservers: { files: { command: x } }\npolicy:\n  rules:\n    - hide: files\n    - deny: "files(a\\u202e)"\n      reason: |\n        Not\n        this.\n'
    const explained = await byleave(["policy", "explain", "files", "a\u202e"], { files: { "byleave.yaml": text } })
    expect(explained.stdout).toContain("files(a⟨U+202E⟩)")
    expect(explained.stdout).not.toContain("27E8")
    const checked = await byleave(["policy", "check"], { files: { "byleave.yaml": text } })
    expect(checked.stdout).toContain("files(a⟨U+202E⟩)")
    expect(checked.stdout).not.toContain("27E8")
  })

  it.each([
    { name: "a terminal", isTerminal: true, env: {}, coloured: true },
    { name: "a terminal with NO_COLOR", isTerminal: true, env: { NO_COLOR: "1" }, coloured: false },
    { name: "a pipe", isTerminal: false, env: {}, coloured: false },
  ])("on $name is coloured: $coloured", async ({ isTerminal, env, coloured }) => {
    const { stdout } = await byleave(["policy", "check"], { files, env, isTerminal })
    expect(stdout.includes("\x1b[")).toBe(coloured)
  })

  it.each([["--help"], ["policy", "--help"], ["policy", "check", "--help"], ["policy", "explain", "--help"]])(
    "%s %s %s helps",
    async (...argv) => {
      const result = await byleave(argv)
      expect(result).toMatchObject({ code: 0, stderr: "" })
      expect(result.stdout).toContain("Usage: byleave")
      if (argv.length === 3) expect(result.stdout).toContain("Examples:\n  byleave policy")
    },
  )

  it.each([
    ["run", 'byleave run "tidy my notes"'],
    ["runs continue", "byleave runs continue"],
  ])("of %s has examples", async (command, example) => {
    const result = await byleave([...command.split(" "), "--help"])
    expect(result).toMatchObject({ code: 0, stderr: "" })
    expect(result.stdout).toContain(`Examples:\n  ${example}`)
  })

  it.each([[["run", "tidy"]], [["runs", "list"]], [["runs", "cancel", "abc"]]])("%j needs a service", async (argv) => {
    const data = mkdtempSync(join(tmpdir(), "byleave-no-service-"))
    const result = await byleave([...argv, "--data", data, "--json"])
    expect(result).toMatchObject({ code: 3, stderr: expect.stringContaining("byleave serve") })
    expect(JSON.parse(result.stdout)).toMatchObject({ error: expect.any(String) })
  })

  it.each([[[]], [["policy"]], [["polcy"]]])("is help on standard error for %j, which is wrong use", async (argv) => {
    expect(await byleave(argv)).toMatchObject({ code: 2, stdout: "" })
  })

  it("is the package's version", async () => {
    const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
    expect(version).toBe(manifest.version)
    expect((await byleave(["--version"])).stdout).toBe(`${version}\n`)
  })
})

it.skipIf(process.platform !== "linux")("says nothing of an output that takes nothing, and fails", async () => {
  const shell = (redirect: string) =>
    new Promise((resolve) => {
      const command = `"${process.execPath}" "${main}" --help ${redirect}`
      execFile("/bin/sh", ["-c", command], (error, _, stderr) => resolve({ code: error?.code, stderr }))
    })
  expect(await shell("> /dev/full")).toEqual({ code: 1, stderr: "" })
})

it.each([
  { name: "npm run byleave", event: "byleave", project: "/p/package.json", folder: "/p/sub" },
  { name: "another script", event: "test", project: "/p/package.json", folder: "/p" },
  { name: "a folder of the caller's choice", event: "byleave", project: "/q/package.json", folder: "/p" },
])("relative paths start at $folder for $name", ({ event, project, folder }) => {
  const env = new Map([
    ["npm_lifecycle_event", event],
    ["npm_package_json", project],
    ["INIT_CWD", "/p/sub"],
  ])
  expect(startFolder("/p", env)).toBe(folder)
  expect(startFolder("/p", new Map())).toBe("/p")
})
