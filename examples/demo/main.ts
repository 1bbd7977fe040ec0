/** The demonstration without a person: a service of its own, and the one call that waits approved through the API. */
import assert from "node:assert/strict"
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { playAgent } from "./agent.ts"
import { approveWhatWaits, reviewerOf } from "./approve.ts"
import { byleave, demoConfig, prepareWorkspace, workspace } from "./prepare.ts"

prepareWorkspace()
rmSync(join(workspace, "notes.md"), { force: true })
const data = mkdtempSync(join(tmpdir(), "byleave-demo-"))
const init = spawnSync(process.execPath, [byleave, "init", "--presence", "none", "--data", data], { stdio: "inherit" })
assert.equal(init.status, 0)
const args = [byleave, "serve", "--data", data, "--config", demoConfig, "--port", "0", "--json"]
const service = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] })
try {
  const [line] = await once(createInterface(service.stdout), "line")
  const { url } = JSON.parse(String(line))
  const approvals: Promise<void>[] = []
  const say = (text: string): void => console.log(text)
  await playAgent({ url, say, onWaiting: () => approvals.push(approveWhatWaits(url, data, say)) })
  await Promise.all(approvals)
  assert.equal(approvals.length, 1)
  assert.equal(readFileSync(join(workspace, "notes.md"), "utf8"), "Written by the demo agent.\n")
  assert(existsSync(join(workspace, "shopping.md")))
  const report = await (await reviewerOf(url, data)).verifyAudit()
  assert(report.ok && report.value.ok)
  console.log(`The audit holds ${report.value.records} records, and verifies.`)
} finally {
  service.kill("SIGTERM")
  await once(service, "exit")
  rmSync(data, { recursive: true })
}
