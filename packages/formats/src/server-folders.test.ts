import {
  compilePolicy,
  decide,
  type Effect,
  idleUsage,
  indexGrants,
  type Policy,
  type PolicyPorts,
  unknownStart,
} from "@byleave/core"
import { nodeHasher } from "@byleave/core/node"
import { describe, expect, it } from "vitest"
import type { Config } from "./config.ts"
import { loadConfig } from "./load-config.ts"
import { workingFolders } from "./server-folders.ts"

const reading = { folder: "/etc/byleave", home: "/home/ann", secrets: new Set<string>(["hunter2", "/srv/env"]) }
const started = (args: readonly string[], cwd?: string, command = "npx") =>
  workingFolders({ kind: "stdio", command, args, env: new Map(), ...(cwd === undefined ? {} : { cwd }) }, reading)

const filesystem = "@modelcontextprotocol/server-filesystem"

it.each([
  { args: ["-y", filesystem, "/srv/a", "/srv/b"], folders: ["/srv/a", "/srv/b"] },
  {
    args: ["-y", filesystem, "./a", "~/b", "c", "d.js", "--watch"],
    folders: ["/etc/byleave/a", "/home/ann/b", "/etc/byleave/c", "/etc/byleave/d.js"],
  },
  { args: ["server.js"], cwd: "/srv/c" },
  {
    args: ["/opt/bin/server.js", "run", "/srv/data", "--root=/srv/v1.2", ".", "..", "--level", "3"],
    cwd: "/srv/c",
    folders: ["/srv/data", "/srv/v1.2", "/srv/c", "/srv"],
    starts: ["/srv/c/run"],
  },
  { args: ["/node_modules/server-filesystem/dist/index.js", ".", "."], cwd: "/srv/c", folders: ["/srv/c"] },
  { args: ["server", "D:\\data"], cwd: "C:\\srv", folders: ["D:\\data"] },
])("$args in $cwd: $folders", ({ args, cwd, folders, starts }) => {
  expect(started(args, cwd)).toEqual({
    ...(cwd === undefined ? {} : { cwd }),
    ...(folders === undefined ? {} : { folders }),
    ...(starts === undefined ? {} : { starts }),
  })
})

it("knows nothing of a server whose file does not say where it is started and that is not known to take folders", () => {
  expect(started(["server.js", "/srv/data"])).toEqual({})
  for (const url of ["http://localhost/mcp", "http://127.0.0.1:80/mcp", "http://[::1]/mcp", "no address"])
    expect(workingFolders({ kind: "http", url, headers: new Map() }, reading)).toEqual({})
})

it("a server at an address elsewhere has its own files", () => {
  const transport = { kind: "http", url: "https://mcp.example/mcp", headers: new Map() } as const
  expect(workingFolders(transport, reading)).toEqual({ isRemote: true })
})

it.each([
  { command: "notes", args: ["data"], starts: ["/ws/data"] },
  { command: "notes", args: ["--root", "data", "-ddocs", "-v"], starts: ["/ws/data", "/ws/docs"] },
  { command: "notes", args: ["--root=a,b", "x=c"], starts: ["/ws/a,b", "/ws/a", "/ws/b", "/ws/x=c", "/ws/x", "/ws/c"] },
  { command: "notes", args: ["a:b"], starts: ["/ws/a:b", "/ws/a", "/ws/b"] },
  { command: "notes", args: ["./site.go", "db.json"], starts: ["/ws/site.go", "/ws/db.json"] },
  { command: "notes", args: ["--port", "80", "--url=https://a.example/x?b=c", "--watch", "--", ""], starts: undefined },
  { command: "node", args: ["--no-warnings", "../server.js", "data"], starts: ["/ws/data"] },
  { command: "C:\\node\\npx.cmd", args: ["-y", "@a/b", "data"], starts: ["/ws/data"] },
  { command: "uv", args: ["run", "run", "data"], starts: ["/ws/data"] },
  { command: "python3.12", args: ["-m", "notes", "data"], starts: ["/ws/data"] },
])("I1: $command $args may start in $starts", ({ command, args, starts }) => {
  expect(started(args, "/ws", command).starts).toEqual(starts)
})

it.each([
  { command: "sh", args: ["-c", "notes data"] },
  { command: "notes", args: ["$DATA"] },
  { command: "notes", args: ["~ann/data"] },
  { command: "notes", args: ["--cwd", "data"] },
  { command: "notes", args: ['{"root":"data"}'] },
  { command: "uv", args: ["--directory", "data", "run", "notes"] },
  { command: "node", args: ["--eval=1", "data"] },
  { command: "python", args: ["-mnotes", "data"] },
  { command: "npx", args: ["-c", "mcp-server-filesystem data"] },
])("I2: $command $args may start in a folder that nobody knows", ({ command, args }) => {
  expect(started(args, "/ws", command).starts).toContain(unknownStart)
})

it("takes the filesystem server's arguments for folders, by whatever program it is started", () => {
  for (const [command, ...before] of [
    ["mcp-server-filesystem"],
    ["/opt/bin/mcp-server-filesystem"],
    ["cmd", "/c", "npx", "-y", filesystem],
    ["npx", `${filesystem}@1.2.3`],
  ] as const) {
    expect(started([...before, "data", "My Files", "2024"], "/ws", command)).toEqual({
      cwd: "/ws",
      folders: ["/ws/data", "/ws/My Files", "/ws/2024"],
    })
  }
})

it.each([
  { args: ["--token", "hunter2"] },
  { args: ["hunter2"] },
  { args: ["--mix=data,hunter2"] },
  { args: ["--token", "plain"] },
  { args: ["ghp_abcdefghijklmnopqrstuvwxyz0123"] },
])("I3: $args keeps no secret, and one start is unknown", ({ args }) => {
  expect(started(args, "/ws", "notes")).toEqual({ cwd: "/ws", starts: [unknownStart] })
})

it("I1, I3: the value that an option's name calls a secret is no start, and a path from the environment is one", () => {
  expect(started(["--token=hunter2", "--transport", "stdio", "/srv/env/a.go"], "/ws", "notes")).toEqual({
    cwd: "/ws",
    starts: ["/srv/env/a.go"],
  })
})

describe("what policy knows of a server that a file names", () => {
  type Start = { readonly command: string; readonly args: readonly string[]; readonly cwd: string }
  const decided = { name: "file", folder: "/", env: new Map<string, string>(), hasher: nodeHasher }
  const configOf = (text: string): Config => {
    const result = loadConfig(text, decided)
    if (!result.ok) throw new Error(JSON.stringify(result.problems))
    return result.config
  }
  /** The same server in each language that is read. */
  const files: ReadonlyArray<readonly [string, (server: object) => string]> = [
    ["byleave.yaml", (server) => JSON.stringify({ version: 1, servers: { notes: server } })],
    ["a client's mcpServers", (server) => JSON.stringify({ mcpServers: { notes: server } })],
    ["tool lists per server", (server) => JSON.stringify({ notes: { ...server, tool_blacklist: [] } })],
  ]
  const policyOf = (text: string, ...rules: readonly string[]): Policy => {
    const { policy } = configOf(
      JSON.stringify({ version: 1, policy: { rules: rules.map((rule) => JSON.parse(rule)) } }),
    )
    return { ...configOf(text).policy, rules: policy.rules }
  }
  const effectOf = (policy: Policy, path: string, ports: PolicyPorts = {}): Effect => {
    const session = { principal: "ann", id: "s", named: true }
    const asked = { target: { server: "notes", kind: "tool", name: "act" }, args: { path }, tool: undefined } as const
    const state = { mode: "ask", usage: idleUsage } as const
    const question = { ...asked, principal: { id: "ann" }, session, state, now: 0 }
    return decide(compilePolicy(policy, ports), indexGrants([]), question).effect
  }

  describe.each(files)("%s", (_, fileOf) => {
    it.each([
      { command: "notes", args: ["data", "/srv/other"], cwd: "/srv/ws" },
      { command: "sh", args: ["-c", "cd data && notes"], cwd: "/srv/ws" },
      { command: "npx", args: ["-y", filesystem, "/srv/ws"] },
      { url: "https://notes.example/mcp" },
      { command: "notes", args: [] },
    ])("holds all that is known of where %j works, and nothing else of how it is started", (server) => {
      const config = configOf(fileOf(server))
      const [read] = config.servers
      if (read === undefined) throw new Error("no server")
      const { id, trust, pin } = read
      const where = workingFolders(read.transport, { folder: "/", home: undefined, secrets: new Set() })
      expect(config.policy.servers).toEqual([{ id, trust, pin, ...where }])
    })

    it.each<Start>([
      { command: "notes", args: ["data"], cwd: "/srv/ws" },
      { command: "notes", args: ["--root=data"], cwd: "/srv/ws" },
      { command: "notes", args: ["--cwd", "data"], cwd: "/srv/ws" },
      { command: "sh", args: ["-c", "cd data && exec notes"], cwd: "/srv/ws" },
      { command: "uv", args: ["--directory", "data", "run", "notes"], cwd: "/srv/ws" },
      { command: "npx", args: ["-y", "notes-mcp", "data"], cwd: "/srv/ws" },
      { command: "docker", args: ["run", "-w", "data", "notes"], cwd: "/srv/ws" },
    ])(
      "$command $args may read below `data`: no allow of another folder runs it, and no deny of it is escaped",
      (start) => {
        const allow = policyOf(fileOf(start), '{"allow":"notes(act)","when":{"path":{"under":"/srv/ws/public"}}}')
        expect(effectOf(allow, "public/x")).toBe("ask")
        expect(effectOf(allow, "/srv/ws/public/x")).toBe("allow")
        const deny = policyOf(
          fileOf(start),
          '{"deny":"notes(act)","when":{"path":{"under":"/srv/ws/data"}}}',
          '{"allow":"notes(act)"}',
        )
        expect(effectOf(deny, "x")).not.toBe("allow")
        expect(effectOf(deny, "/srv/ws/x")).toBe("allow")
      },
    )

    it("a path at another machine's address is judged by its names", () => {
      const rule = '{"allow":"notes(act)","when":{"*":{"sensitive":false}}}'
      const followed: PolicyPorts = { realPaths: () => (place) => [place] }
      expect(effectOf(policyOf(fileOf({ url: "https://notes.example/mcp" }), rule), "notes/a.md", followed)).toBe(
        "allow",
      )
      expect(effectOf(policyOf(fileOf({ command: "notes", args: [] }), rule), "notes/a.md", followed)).toBe("ask")
    })
  })
})
