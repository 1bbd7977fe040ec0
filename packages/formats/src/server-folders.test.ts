import { unknownStart } from "@byleave/core"
import { expect, it } from "vitest"
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
