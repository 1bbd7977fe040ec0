import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { afterEach, beforeEach, expect, it } from "vitest"
import { acp } from "../questions/acp-questions.ts"
import { relayStdio } from "../questions/stdio-relay.ts"
import { openBrowser } from "../reach/open-browser.ts"
import { outputOf, runProgram } from "./run-program.ts"

let cwd = ""
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "byleave-run-"))
  for (const name of ["copilot", "xdg-open", "open"]) {
    writeFileSync(join(cwd, name), "#!/bin/sh\nprintf here\n", { mode: 0o755 })
  }
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

/** Systems that look in the current folder by themselves do so for an empty part of PATH, too. */
const start = (path: string) => ({ command: "copilot", args: [], env: new Map([["PATH", path]]), cwd })

it("I1: a program of the current folder is not started in place of one that PATH has", async () => {
  expect(await runProgram(start(":/nowhere"))).toEqual({ kind: "missing" })
  expect(await outputOf(start(":/nowhere"))).toBeNull()
  expect(await openBrowser("https://example.com", new Map([["PATH", ":/nowhere"]]), cwd)).toBe(false)
  const gate = { ask: () => Promise.reject(new Error("nothing asks")), close: async () => undefined }
  const end = relayStdio({
    ...{ start: start(":/nowhere"), dialect: acp(), gate: gate as never, say: () => undefined },
    ...{ input: new PassThrough(), output: new PassThrough(), stopped: new Promise(() => undefined) },
  })
  expect(await end).toEqual({ kind: "missing" })
})

it("a program is found by the folders that PATH names, the current one if somebody named it", async () => {
  expect(await runProgram(start(`/nowhere:${cwd}`))).toEqual({ kind: "ended", code: 0 })
  expect(await outputOf(start("."))).toBe("here")
})
