#!/usr/bin/env node
import { readFile } from "node:fs/promises"
import { homedir, userInfo } from "node:os"
import { buffer } from "node:stream/consumers"
import { askSecret } from "./ask-secret.ts"
import type { Output } from "./io.ts"
import { openBrowser } from "./open-browser.ts"
import { realPath } from "./real-path.ts"
import { run } from "./run.ts"
import { startFolder } from "./start-folder.ts"
import { untilStopped } from "./until-stopped.ts"
import { openTerminal } from "./watch/open-terminal.ts"

const env = new Map(
  Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
)

let isCutOff = false
const code = await run({
  argv: process.argv.slice(2),
  env,
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  cwd: startFolder(process.cwd(), env),
  home: homedir(),
  platform: process.platform,
  userName: userName(),
  readFile,
  readStdin: () => buffer(process.stdin),
  realPath,
  now: Date.now,
  askSecret,
  untilStopped,
  openBrowser,
  openTerminal: () => openTerminal(process.stdin, process.stdout),
  streams: () => ({ input: process.stdin, output: process.stdout }),
  pid: process.pid,
})
process.exitCode = isCutOff ? 1 : code

function outputOf(stream: NodeJS.WriteStream): Output {
  // Nobody is left to tell: whoever reads stopped early, as `head` does, or the disk is full.
  stream.on("error", () => {
    isCutOff = true
    process.exitCode = 1
  })
  return { write: (text) => void stream.write(text), isTerminal: stream.isTTY === true }
}

/** A container may run as a user that has no name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return env.get("USER") ?? "owner"
  }
}
