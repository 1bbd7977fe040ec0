import { expect, it } from "vitest"
import { workingFolders } from "./server-folders.ts"

const reading = { folder: "/etc/byleave", home: "/home/ann" }
const started = (args: readonly string[], cwd?: string) =>
  workingFolders(
    { kind: "stdio", command: "npx", args, env: new Map(), ...(cwd === undefined ? {} : { cwd }) },
    reading,
  )

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
  },
  { args: ["/node_modules/server-filesystem/dist/index.js", ".", "."], cwd: "/srv/c", folders: ["/srv/c"] },
  { args: ["D:\\data"], cwd: "C:\\srv", folders: ["D:\\data"] },
])("$args in $cwd: $folders", ({ args, cwd, folders }) => {
  expect(started(args, cwd)).toEqual({
    ...(cwd === undefined ? {} : { cwd }),
    ...(folders === undefined ? {} : { folders }),
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
