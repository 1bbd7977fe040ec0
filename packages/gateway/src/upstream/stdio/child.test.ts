import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { settingOf } from "../upstream-options.ts"
import { startChild } from "./child.ts"
import type { Written } from "./child-input.ts"
import type { StdioTransport } from "./find-command.ts"

/** Runs a program as a server's process: what it wrote, and how it ended. */
async function run(
  program: string,
  more: { readonly env?: ReadonlyMap<string, string>; readonly secret?: string } = {},
) {
  const { env = new Map(), secret = "" } = more
  const log: string[] = []
  const transport: StdioTransport = { kind: "stdio", command: process.execPath, args: ["-e", program], env, cwd: "/" }
  const setting = settingOf("tried", {
    now: Date.now,
    newId: () => "id",
    log: (line) => log.push(line),
    redact: (text) => (secret === "" ? text : text.replaceAll(secret, "[secret]")),
  })
  const first = Promise.withResolvers<string>()
  const gone = Promise.withResolvers<string>()
  const child = await startChild(transport, setting, {
    onOutput: (chunk) => first.resolve(chunk.toString().trim()),
    onGone: gone.resolve,
  })
  return { child, first: first.promise, gone: gone.promise, log }
}

describe("a server's process", () => {
  it("I1: knows the environment it was given, and nothing of ours", async () => {
    expect(Object.keys(process.env).length).toBeGreaterThan(1)
    const { first, gone } = await run("console.log(JSON.stringify(process.env))", { env: new Map([["GIVEN", "1"]]) })
    expect(JSON.parse(await first)).toEqual({ GIVEN: "1" })
    await gone
  })

  it.skipIf(process.platform === "win32")("I2: ends with everything it started", async () => {
    const sleep = "setTimeout(() => {}, 20000)"
    const { child, first, gone } = await run(
      `console.log(require("child_process").spawn(process.execPath, ["-e", "${sleep}"], { stdio: "ignore" }).pid); ${sleep}`,
    )
    const pid = Number(await first)
    expect(isAlive(pid)).toBe(true)
    child.kill()
    await gone
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it("fills no log: of very many lines some are left out, and that is said once", async () => {
    const { gone, log } = await run(`process.stderr.write(${JSON.stringify("a line\n")}.repeat(50000))`)
    await gone
    // It may write for more than a second.
    expect(log.length).toBeLessThan(5_000)
    expect(log.slice(0, 200).filter((line) => line.includes("left out"))).toEqual([log[199]])
    expect(log[0]).toBe("tried: a line")
  })

  it("I3: is heard without its secrets and without what would steer a terminal", async () => {
    const { gone, log } = await run(`console.error("\\u001b[31mkey is hunter2"); process.exit(3)`, {
      secret: "hunter2",
    })
    const why = await gone
    for (const said of [why, ...log]) expect(said).not.toMatch(/hunter2|\u001b/)
    expect(why).toContain("ended with code 3")
    expect(why).toContain("key is [secret]")
  })

  it("that ended is said to have ended before what was written to it is said to have failed", async () => {
    const deaf = 'require("fs").closeSync(0); console.log("deaf"); setTimeout(() => process.exit(7), 100)'
    const { child, first, gone } = await run(deaf)
    await first
    const told: string[] = []
    const failed = new Promise<void>((resolve) => {
      const done: Written = (error) => {
        told.push(error?.code ?? "written")
        resolve()
      }
      child.write({ text: "{}\n", done }, "")
    })
    await Promise.all([gone.then((why) => told.push(why)), failed])
    expect(told).toEqual([expect.stringContaining("ended with code 7"), "cut-off"])
  })
})

/** A process that has ended but was not yet collected is not alive. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"))
  } catch {
    return process.platform !== "linux"
  }
}
