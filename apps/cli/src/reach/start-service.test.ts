import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, it } from "vitest"
import { findService } from "./find-service.ts"
import { readServiceFile, writeServiceFile } from "./service-file.ts"
import { startService } from "./start-service.ts"

let data: string
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "byleave-start-"))
})
afterEach(async () => {
  const pid = readServiceFile(data)?.pid
  if (pid !== undefined) process.kill(pid, "SIGTERM")
  await expect.poll(() => existsSync(join(data, "service.json")), { timeout: 15_000 }).toBe(false)
  rmSync(data, { recursive: true })
})

const env = new Map([["PATH", process.env.PATH ?? ""]])

it("starts one service however many ask at once, and all of them find it", async () => {
  let starters = 0
  const onStarting = () => {
    starters += 1
  }
  const found = await Promise.all(Array.from({ length: 8 }, () => startService({ data, env, onStarting })))
  expect(starters).toBe(1)
  const urls = found.map((each) => ("url" in each ? each.url : each.missing))
  expect(new Set(urls)).toEqual(new Set([readServiceFile(data)?.url]))
  expect(existsSync(join(data, "gate-token"))).toBe(true)
  expect(readFileSync(join(data, "byleave.yaml"), "utf8")).toContain("version: 1")
  expect(statSync(join(data, "service.log")).mode & 0o777).toBe(0o600)
})

it("says what the service said when it cannot start", async () => {
  writeFileSync(join(data, "byleave.yaml"), "version: 1\npolicy: 7\n")
  const found = await startService({ data, env })
  expect(found).toMatchObject({ code: "not-running", missing: expect.stringContaining("byleave.yaml:2:9") })
})

it("takes nobody for the service who cannot prove it holds the data folder's secret", async () => {
  const other = mkdtempSync(join(tmpdir(), "byleave-start-"))
  writeFileSync(join(other, "challenge"), "another secret")
  const running = await startService({ data, env })
  if (!("url" in running)) throw new Error(running.missing)
  writeServiceFile(other, { version: 1, url: running.url, pid: 1, started: 0 })
  expect(await findService({ data: other })).toMatchObject({ code: "not-ours" })
  rmSync(other, { recursive: true })
  expect(await findService({ data })).toMatchObject({ url: running.url })
})

it("starts it with the store of its folder, whatever store the client's environment names", async () => {
  writeFileSync(join(data, "store"), "sqlite\n")
  const found = await startService({ data, env: new Map([...env, ["BYLEAVE_STORE", "postgres://127.0.0.1:1/other"]]) })
  expect(found).toHaveProperty("url")
  expect(existsSync(join(data, "byleave.db"))).toBe(true)
})
