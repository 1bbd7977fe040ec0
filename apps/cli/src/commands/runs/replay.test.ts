import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { afterAll, describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("../../../../..", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "byleave-replay-"))
const recording = (name: string) => join(root, "recordings", name)

async function replay(...args: readonly string[]) {
  const main = join(root, "apps/cli/src/main.ts")
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [main, "replay", ...args], { cwd: folder })
    return { code: 0, stdout, stderr: "" }
  } catch (cause) {
    return cause as { readonly code: number; readonly stdout: string; readonly stderr: string }
  }
}

describe("byleave replay", () => {
  afterAll(() => rmSync(folder, { recursive: true }))

  it("R194: tells the story of a run, and that it comes out as it did", async () => {
    const { code, stdout } = await replay(recording("run-two-calls-one-denied.jsonl"))
    expect(code).toBe(0)
    expect(stdout).toContain("  user      Tidy my notes.\n")
    expect(stdout).toContain('  waits     scripted-1-3: files(write) {"path":"a.md"}\n')
    expect(stdout).toContain("Played again, it is the same.\n")
  })

  it("says what another policy would change", async () => {
    const policy = "version: 1\nservers: {}\npolicy:\n  default: ask\n  rules:\n    - deny: files(write)\n"
    writeFileSync(join(folder, "other.yaml"), policy)
    const args = [recording("run-pauses-twice.jsonl"), "--config", "other.yaml", "--json"]
    const { code, stdout } = await replay(...args)
    expect(code).toBe(1)
    const { differences, ok } = JSON.parse(stdout)
    expect(ok).toBe(false)
    expect(differences[0]).toBe('In leg 1: files(write) {"path":"draft.md"} needs no approval, and did.')
  })

  it("looks an exchange with the Responses API through, and finds an approval that was left open", async () => {
    const whole = recording("single-turn-mcp-approval.jsonl")
    expect(await replay(whole)).toMatchObject({ code: 0, stdout: expect.stringContaining("It is complete") })
    const lines = readFileSync(whole, "utf8").split("\n")
    const cut = lines.slice(
      0,
      lines.findIndex((line) => line.startsWith('{"leg":2')),
    )
    writeFileSync(join(folder, "cut.jsonl"), cut.join("\n"))
    const { code, stdout } = await replay("cut.jsonl")
    expect(code).toBe(1)
    expect(stdout).toContain("The approval request mcpr_7f3k2q_scripted-1-1 has no answer.")
  })

  it("says which line is no recording's, and what cannot be read", async () => {
    writeFileSync(join(folder, "wrong.jsonl"), '{"recording":{"format":1,"of":"run"}}\n{"leg":2,"ms":0,"event":{}}\n')
    expect((await replay("wrong.jsonl")).stderr).toContain("wrong.jsonl, line 2: It is neither the next request")
    expect((await replay("nowhere.jsonl")).stderr).toContain("nowhere.jsonl cannot be read.")
  })
})
