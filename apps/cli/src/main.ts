#!/usr/bin/env node
import { readFile } from "node:fs/promises"
import { homedir } from "node:os"
import type { Output } from "./io.ts"
import { realPath } from "./real-path.ts"
import { run } from "./run.ts"

process.exitCode = await run({
  argv: process.argv.slice(2),
  env: new Map(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  cwd: process.cwd(),
  home: homedir(),
  readFile,
  realPath,
  now: Date.now,
})

function outputOf(stream: NodeJS.WriteStream): Output {
  // Whoever reads may stop early, as `head` does; that is no failure of ours.
  stream.on("error", (cause: NodeJS.ErrnoException) => {
    if (cause.code !== "EPIPE") throw cause
  })
  return { write: (text) => void stream.write(text), isTerminal: stream.isTTY === true }
}
