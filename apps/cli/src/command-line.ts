import { readFile } from "node:fs/promises"
import { homedir, userInfo } from "node:os"
import { buffer } from "node:stream/consumers"
import { setTimeout as pause } from "node:timers/promises"
import { realPaths } from "./files/real-paths.ts"
import type { Io, Output } from "./io.ts"
import { openBrowser } from "./reach/open-browser.ts"
import { askSecret } from "./terminal/ask-secret.ts"
import { createOutput } from "./terminal/create-output.ts"
import { untilStopped } from "./terminal/until-stopped.ts"
import { openTerminal } from "./watch/open-terminal.ts"
import { type WrapStart, wrapCommand } from "./wrap/wrap-command.ts"

export type CommandLine = {
  readonly argv: readonly string[]
  readonly env: ReadonlyMap<string, string>
  readonly cwd: string
  /** A plain `wrap`, and its server that is starting already. */
  readonly wrap: WrapStart | null
}

let isCutOff = false

/** Runs one command in this process, and leaves its exit code. */
export async function commandLine({ argv, env, cwd, wrap }: CommandLine): Promise<void> {
  const io: Io = {
    ...{ argv, env, cwd, readFile, realPaths, askSecret, untilStopped },
    openBrowser: (url) => openBrowser(url, env, cwd),
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    home: homedir(),
    platform: process.platform,
    userName: userName(env),
    readStdin: () => buffer(process.stdin),
    now: Date.now,
    openTerminal: () => openTerminal(process.stdin, process.stdout),
    streams: () => ({ input: process.stdin, output: process.stdout }),
    pid: process.pid,
    endProcess: (pid) => void process.kill(pid, "SIGTERM"),
    pause: (ms) => pause(ms),
    runProgram: async (start) => (await import("./launch/run-program.ts")).runProgram(start),
    outputOf: async (start) => (await import("./launch/run-program.ts")).outputOf(start),
  }
  const code = wrap === null ? await (await import("./run.ts")).run(io) : await wrapCommand(io, wrap)
  process.exitCode = isCutOff ? 1 : code
  // Its client is gone: open work, such as the search for a service, keeps nobody waiting.
  if (wrap !== null) setTimeout(() => process.exit(), lingerMs).unref()
}

const lingerMs = 500

function outputOf(stream: NodeJS.WriteStream): Output {
  // No reader is left: it stopped early, as `head` does, or the disk is full.
  stream.on("error", () => {
    isCutOff = true
    process.exitCode = 1
  })
  return createOutput({
    write: (text) => void stream.write(text),
    isTerminal: stream.isTTY === true,
    columns: () => stream.columns,
  })
}

/** A container may run as a user that has no name. */
function userName(env: ReadonlyMap<string, string>): string {
  try {
    return userInfo().username
  } catch {
    return env.get("USER") ?? "owner"
  }
}
