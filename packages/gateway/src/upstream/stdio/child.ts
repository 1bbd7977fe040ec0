/**
 * A server's process, with everything it starts. It gets the environment of the configuration and nothing of ours, and
 * lives in a process group of its own, so that what `npx` or a shell started ends with it, and all of it with us.
 *
 * I1. A child gets the environment of the configuration, and nothing of ours.
 * I2. What a child started ends with it.
 * I3. What a child says is redacted and escaped before anyone sees it.
 */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { quoted, showText } from "@byleave/core"
import { LinkError } from "../link.ts"
import type { PausableSource } from "../source-pace.ts"
import type { Setting } from "../upstream-options.ts"
import { type ChildInput, openInput, type Written } from "./child-input.ts"
import { findCommand, type StdioTransport } from "./find-command.ts"
import { textLines } from "./text-lines.ts"

export type ChildEvents = {
  readonly onOutput: (chunk: Buffer) => void
  /** The process and its output have ended; said once. */
  readonly onGone: (why: string) => void
}

export type Child = {
  readonly write: ChildInput["write"]
  readonly forget: ChildInput["forget"]
  readonly output: PausableSource
  /** Ends its input, then asks it to go, then makes it. Resolves when it is gone. */
  readonly stop: () => Promise<void>
  readonly kill: () => void
}

/** How long the end of a process, and what it said last, is waited for. */
const lastWordsMs = 1_000
/** In characters: five lines of 400, and what stands between them. */
const mostSaid = 2_100

const living = new Set<ChildProcessWithoutNullStreams>()
// Detached children would outlive a process that simply exits.
process.on("exit", () => {
  for (const child of living) signalGroup(child, "SIGKILL")
})

export async function startChild(transport: StdioTransport, setting: Setting, events: ChildEvents): Promise<Child> {
  const child = transport.started?.() ?? (await spawnChild(transport, setting))
  living.add(child)
  const stderr = keepStderr(child, setting)
  child.stdin.on("error", () => {})
  child.stdout.on("error", () => {})
  child.stdout.on("data", events.onOutput)
  const gone = whenGone(child).then((how) => {
    living.delete(child)
    events.onGone(stderr() === "" ? how : `${how} It said: ${quoted(stderr(), mostSaid)}`)
  })
  const input = openInput(child.stdin)
  const { stdout } = child
  return {
    output: { pause: () => void stdout.pause(), resume: () => void stdout.resume() },
    write: (line, principal) => {
      const done: Written = (error) => {
        if (error?.code !== "cut-off") return line.done(error)
        // A process that has just ended takes no input either: its end says why, so that is told first.
        const late = new Promise((resolve) => setTimeout(resolve, lastWordsMs).unref())
        void Promise.race([gone, late]).then(() => line.done(error))
      }
      input.write({ ...line, done }, principal)
    },
    forget: input.forget,
    stop: () => {
      input.flush()
      return stop(child, gone, setting)
    },
    kill: () => signalGroup(child, "SIGKILL"),
  }
}

async function spawnChild(transport: StdioTransport, setting: Setting): Promise<ChildProcessWithoutNullStreams> {
  const file = await findCommand(transport, setting.searchPath)
  const child = spawn(file, [...transport.args], {
    cwd: transport.cwd,
    env: Object.fromEntries(transport.env),
    stdio: "pipe",
    detached: process.platform !== "win32",
    windowsHide: true,
  })
  await hasStarted(child, transport.command)
  transport.onStarted?.(child.pid)
  return child
}

function hasStarted(child: ChildProcessWithoutNullStreams, command: string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve)
    child.on("error", (cause: NodeJS.ErrnoException) => {
      const why = `The command ${JSON.stringify(command)} could not be started (${cause.code ?? cause.message}).`
      reject(new LinkError("unreachable", `${why} Check the command, its rights and its working folder.`, { cause }))
    })
  })
}

// A few of the last lines, since they usually say why a server failed.
/** Of one server in a second. A log is written by one process, and read by people. */
const mostLines = 200

function keepStderr(child: ChildProcessWithoutNullStreams, setting: Setting): () => string {
  let last: string[] = []
  let lines = 0
  const log = (words: string) => {
    if (lines === 0) setTimeout(() => (lines = 0), 1_000).unref()
    lines += 1
    if (lines < mostLines) setting.log(`${setting.id}: ${words}`)
    else if (lines === mostLines) setting.log(`${setting.id}: (it says more than is kept; some lines are left out)`)
  }
  const onLine = (line: string) => {
    const said = setting.redact(line.trimEnd()).slice(0, 400)
    if (said === "") return
    last = [...last.slice(-4), said]
    log(showText(said))
  }
  const split = textLines(64 * 1024, onLine, () => log("(a line too long to show)"))
  child.stderr.on("data", split)
  child.stderr.on("error", () => {})
  return () => last.join(" | ")
}

// Its last words may still be in the pipe when it exits; something that left its group may hold the pipe open for good.
function whenGone(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve) => {
    const farewell = (code: number | null, signal: string | null) =>
      resolve(`The server's process ${signal === null ? `ended with code ${code}` : `was ended by ${signal}`}.`)
    child.once("close", farewell)
    child.once("exit", (code, signal) => {
      signalGroup(child, "SIGKILL")
      setTimeout(() => farewell(code, signal), lastWordsMs).unref()
    })
  })
}

async function stop(child: ChildProcessWithoutNullStreams, gone: Promise<void>, setting: Setting): Promise<void> {
  child.stdin.end()
  const term = setTimeout(() => signalGroup(child, "SIGTERM"), setting.times.terminateMs)
  const kill = setTimeout(() => signalGroup(child, "SIGKILL"), setting.times.killMs)
  await gone
  clearTimeout(term)
  clearTimeout(kill)
}

function signalGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (process.platform === "win32") child.kill(signal)
    else process.kill(-child.pid, signal)
  } catch {
    // No process of the group is left.
  }
}
