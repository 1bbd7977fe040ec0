#!/usr/bin/env node
// Loaded before everything else, so it loads next to nothing itself: what is compiled is kept, and a wrapped server starts meanwhile.
import { enableCompileCache } from "node:module"
import { homedir } from "node:os"
import { compiledFolder } from "./files/compiled-folder.ts"
import { startFolder } from "./files/start-folder.ts"
import { launchFrom, launchWord } from "./reach/launch-word.ts"
import { findProgram } from "./wrap/find-program.ts"
import { ownHome } from "./wrap/home-variables.ts"
import { readWrapWords } from "./wrap/read-wrap-words.ts"
import { childEnvironment, startEarly } from "./wrap/start-early.ts"

const argv = process.argv.slice(2)
if (argv[0] === launchWord) launchFrom(argv.slice(1))
else await runCommand()

async function runCommand(): Promise<void> {
  const env = new Map(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  )
  const cwd = startFolder(process.cwd(), env)
  const words = readWrapWords(argv)
  const given = childEnvironment(env)
  const file = words === null ? null : findProgram(words.command, given, cwd)
  const wrap = words === null ? null : { words, file, early: startEarly(file, words.args, given, cwd) }

  enableCompileCache(compiledFolder(env, ownHome() ?? homedir(), process.platform))
  const { commandLine } = await import("./command-line.ts")
  await commandLine({ argv, env, cwd, wrap })
}
