import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { findProgram } from "./find-program.ts"
import { serverProgram } from "./server-program.ts"

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "byleave-path-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

function countsPath(...[command = "", ...args]: readonly string[]): boolean {
  const of = (path: string): string => {
    const env = new Map([["PATH", `${folder}:${path}`]])
    return serverProgram({ command, args, cwd: folder, env, file: findProgram(command, env, folder) }, "")
  }
  return of("/usr/bin") !== of("/opt/x:/usr/bin")
}

describe("another PATH", () => {
  it.each([
    ["/bin/bash", "/srv/start.sh"],
    ["sh", "-c", "node x.js"],
    ["env", "node", "x.js"],
    ["make", "serve"],
    ["cmd", "/c", "start.bat"],
    ["cmd", "/c", "npm", "start"],
    ["/usr/bin/taskset", "1", "x-tool"],
    ["/usr/bin/git", "x-tool"],
    ["/opt/never-heard-of", "serve"],
    ["npm", "run", "--silent", "mcp"],
    ["yarn", "mcp"],
    ["pnpm", "serve"],
    ["bun", "run", "mcp"],
    ["deno", "task", "mcp"],
    ["npx", "-c", "x-tool"],
    ["node", "-e", "run('x' + '-tool')"],
    ["python3", "-c", "import x"],
    ["uv", "run", "python", "-c", "import x"],
    ["npx", "some-bridge", "--", "sh", "/srv/x"],
    ["node", "--run", "mcp"],
    ["node", "--no-warnings", "--run=mcp"],
    ["npx", "node", "--run", "mcp"],
    ["node", "--import", "data:text/javascript,run('x' + '-tool')", "/srv/server.js"],
    ["node", "--import=DATA:text/javascript,1", "/srv/server.js"],
    ["deno", "run", "-A", "data:text/javascript,1"],
    ["python3", "-Ic", "import x"],
    ["python3", "-cimport x"],
    ["npx", "--cal", "x-too''l"],
    ["perl", "-MPOSIX;system(x)", "/srv/x.pl"],
    ["bun", "exec", "x-too''l"],
    ["yarn", "exec", "x-too''l"],
  ])("makes another program of %s %s", (...line) => {
    expect(countsPath(...line)).toBe(true)
  })

  it.each([
    ["npm", "exec", "--", "x-tool"],
    ["pnpm", "dlx", "x-tool"],
    ["uv", "run", "x-tool"],
    ["uvx", "mcpo", "--", "x-tool"],
    ["npx", "some-bridge", "--stdio", "x-tool --port 80"],
    ["node", "/srv/launch.js", "--run=x-tool"],
    ["docker", "compose", "run", "x-tool"],
    ["/opt/y-server", "on", "x-tool"],
    ["node", "/srv/launch.js", "[x-tool]"],
    ["node", "/srv/launch.js", "{cmd:[x-tool]}"],
    ["node", "/srv/launch.js", "@x-tool"],
    ["node", "/srv/launch.js", "run!x-tool#1"],
    ["node", "/srv/launch.js", "-cx-tool"],
    ["node", "/srv/launch.js", "+x-tool"],
    ["node", "/srv/launch.js", '{"run":"x-tool\\n"}'],
  ])("I3: makes another program of %s %s %s where it finds another program by a word", (...line) => {
    expect(countsPath(...line)).toBe(false)
    writeFileSync(join(folder, "x-tool"), "", { mode: 0o755 })
    expect(countsPath(...line)).toBe(true)
    rmSync(join(folder, "x-tool"))
  })

  it.each([
    ["node", "/srv/server.js", "serve"],
    ["node", "/srv/server.js", "--run", "--eval"],
    ["node", "/srv/server.js", "[/srv/data]"],
    ["deno", "run", "-A", "npm:files"],
    ["uv", "--directory", "/srv/x", "run", "python", "server.py"],
    ["python3", "-m", "x_server", "serve"],
    ["java", "-cp", "/srv/x.jar", "x.Server"],
    ["java", "-jar", "/srv/x.jar"],
    ["node", "--watch", "/srv/server.js"],
    ["node", "/srv/server.js", "-c", "/srv/x.json", "-p", "80"],
    ["bun", "/srv/server.ts"],
    ["no-such-program", "serve"],
    ["node", "/srv/server.js"],
    ["npx", "files-mcp"],
    ["cmd", "/c", "npx", "files-mcp"],
    [process.execPath, "/srv/server.js"],
  ])("makes no other program of %s %s", (...line) => {
    expect(countsPath(...line)).toBe(false)
  })

  it.each([
    { name: "a shell", start: "#!/bin/sh\nnode x", counts: true },
    { name: "a shell by env", start: "#!/usr/bin/env -S bash -e\nnode x", counts: true },
    { name: "another language by env", start: "#!/usr/bin/env ruby\n", counts: true },
    { name: "nothing named", start: "node x\n", counts: true },
    { name: "Node by env", start: "#!/usr/bin/env node\n", counts: false },
    { name: "Node with a switch", start: "#!/usr/bin/env -S node --no-warnings\n", counts: false },
    { name: "Python", start: "#!/usr/bin/python3.12\n", counts: false },
    { name: "the system", start: "\x7fELF\x02\x01\x01\0\0", counts: false },
  ])("I1: counts by what runs the file: $name", ({ start, counts }) => {
    const file = join(folder, "x-server")
    writeFileSync(file, start)
    chmodSync(file, 0o755)
    expect(countsPath("x-server", "--stdio")).toBe(counts)
    expect(countsPath(file)).toBe(counts)
  })

  it("with an empty part makes the folder count", () => {
    const file = join(folder, "y-server")
    writeFileSync(file, "#!/bin/sh")
    const of = (cwd: string): string =>
      serverProgram({ command: file, file, args: [], cwd, env: new Map([["PATH", "/usr/bin::/bin"]]) }, "")
    expect(of("/a")).not.toBe(of("/b"))
  })
})
