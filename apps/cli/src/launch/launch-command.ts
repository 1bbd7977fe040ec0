import type { LaunchSwitch } from "@byleave/api"
import { showText } from "@byleave/core"
import { launchFlags, type RuleLoss, shellQuoted } from "@byleave/formats/languages"
import { countOf } from "../config/problem-lines.ts"
import { lossLines } from "../config/rule-lines.ts"
import { reportFailure } from "../failure.ts"
import { dataFolder, openDataFolder } from "../files/data-folder.ts"
import type { Io } from "../io.ts"
import { program } from "../program.ts"
import { acp } from "../questions/acp-questions.ts"
import { codexAppServer } from "../questions/codex-questions.ts"
import { openPermissionGate } from "../questions/permission-gate.ts"
import { relayStdio } from "../questions/stdio-relay.ts"
import { createPaint, jsonLines, safeLines } from "../terminal/paint.ts"
import { reachGate } from "../wrap/reach-gate.ts"
import { announceLaunch } from "./announce-launch.ts"
import { configuredServers } from "./configured-servers.ts"
import { type CurrentPermissions, currentPermissions, type PermissionFlags, sourceOf } from "./current-permissions.ts"
import type { LaunchClient, RunStart } from "./launch-clients.ts"
import { keepLaunchFile, launchFile } from "./launch-file.ts"
import type { ProgramEnd, ProgramStart } from "./run-program.ts"
import { switchesVariable } from "./switches.ts"

export type GivenLaunchFlags = PermissionFlags & {
  readonly print?: true
  readonly json?: true
  readonly resume?: string | true
  readonly continue?: true
  readonly acp?: true
  readonly appServer?: true
}

/** Prints or runs a program with the flags of the permissions in force. Resolves to the exit code: the program's own if it ran. */
export async function launchCommand(
  io: Io,
  client: LaunchClient,
  flags: GivenLaunchFlags,
  { args, switches }: { readonly args: readonly string[]; readonly switches: readonly LaunchSwitch[] },
): Promise<number> {
  const json = flags.json === true
  const wrong = wrongUse(client, flags)
  if (wrong !== null) {
    reportFailure({ error: wrong, code: "wrong-use" }, json, io)
    return 2
  }
  const permissions = await currentPermissions(flags, io, "all")
  if ("error" in permissions) {
    reportFailure(permissions, json, io)
    return 1
  }
  const { policy, known } = permissions
  const data = dataFolder(flags.data, io)
  const configured = await configuredServers(client, io)
  const fileFor = (text: string) => launchFile(data, client.id, text)
  const said = client.flags === null ? noFlags : launchFlags(client.flags, policy, { known, configured, fileFor })
  if (said.file !== null) {
    openDataFolder(data)
    keepLaunchFile(said.file, io.now())
  }
  const losses = [...permissions.losses, ...said.losses]
  const answering = [process.execPath, program, "prompt-tool", "--data", data]
  const isDriven = flags.acp === true || flags.appServer === true
  const questions = isDriven ? (client.stdio?.words ?? []) : (client.questionWords?.(answering) ?? [])
  const words = [...said.args, ...questions, ...switches, ...client.startWords(startOf(flags)), ...args]
  if (flags.print === true || json) {
    printWords(io, client, { words, losses, permissions, json })
    return 0
  }
  io.stderr.write(`byleave: ${sourceOf(permissions)}\n`)
  if (losses.length > 0) {
    io.stderr.write(`byleave: ${countOf(losses.length, "difference")} from the rules; see them with --print.\n`)
  }
  const end = await announceLaunch(data, { id: client.id, name: client.name, switches }, io)
  try {
    const start = { command: client.command, args: words, env: environment(io, switches), cwd: io.cwd }
    return isDriven ? await runDriven(io, client, start, data) : ended(io, client, await io.runProgram(start))
  } finally {
    end()
  }
}

function startOf({ resume, continue: goesOn }: GivenLaunchFlags): RunStart {
  if (goesOn === true) return { kind: "continue" }
  return resume === undefined ? { kind: "new" } : { kind: "resume", id: resume === true ? null : resume }
}

type Printed = {
  readonly words: readonly string[]
  readonly losses: readonly RuleLoss[]
  readonly permissions: Pick<CurrentPermissions, "config" | "isFileAlone">
  readonly json: boolean
}

function printWords(io: Io, { id, command }: LaunchClient, { words, losses, permissions, json }: Printed): void {
  const { config, isFileAlone } = permissions
  if (json) {
    io.stdout.write(jsonLines({ client: id, command, args: words, config, losses, isFileAlone }))
    return
  }
  const line = [command, ...words].map(shellQuoted).join(" ")
  // Other programs get the words as they are; a terminal gets no control characters.
  io.stdout.write(`${io.stdout.isTerminal ? safeLines(line) : line}\n`)
  const summary = losses.length === 0 ? "Every rule is carried exactly." : `${countOf(losses.length, "difference")}.`
  io.stderr.write(`${lossLines(losses, config, createPaint(io.stderr, io.env))}${summary} ${sourceOf(permissions)}\n`)
}

function environment({ env }: Io, switches: readonly LaunchSwitch[]): ReadonlyMap<string, string> {
  const own = new Map(env)
  own.delete(switchesVariable)
  return switches.length === 0 ? own : own.set(switchesVariable, switches.join(" "))
}

/** Runs a program for the client on this process's streams; its permission questions go to the gate. */
async function runDriven(io: Io, client: LaunchClient, start: ProgramStart, data: string): Promise<number> {
  const say = (line: string): void => io.stderr.write(`byleave: ${showText(line)}\n`)
  const service = await reachGate(io, data, undefined, say)
  if (service === null) return 3
  const { id, name } = client
  const gate = openPermissionGate({
    ...{ program: id, name, service, folder: io.cwd, pid: io.pid, now: io.now, log: say },
  })
  const dialect = client.stdio?.protocol === "app-server" ? codexAppServer() : acp(client.stdio)
  const end = await relayStdio({ start, dialect, gate, say, ...io.streams(), stopped: io.untilStopped() })
  await gate.close()
  return ended(io, client, end)
}

function ended(io: Io, { name, command, install }: LaunchClient, end: ProgramEnd): number {
  if (end.kind === "ended") return end.code
  const error =
    end.kind === "missing"
      ? `${command} was not found. Install ${name} (\`${install}\`), or add its folder to PATH.`
      : `${command} could not be started: ${safeLines(end.why)}`
  reportFailure({ error }, false, io)
  return 1
}

const noFlags = { args: [], file: null, losses: [] } as const

function wrongUse({ name, flags: takes, advice = "", stdio }: LaunchClient, flags: GivenLaunchFlags): string | null {
  if (flags.resume !== undefined && flags.continue === true) return "Choose --resume or --continue."
  const wanted = flags.acp === true ? "acp" : flags.appServer === true ? "app-server" : null
  if (wanted !== null && stdio?.protocol !== wanted) {
    return `${name} cannot be run with --${wanted}.${stdio === undefined ? "" : ` Use --${stdio.protocol}.`}`
  }
  return takes === null && wanted === null
    ? `${advice} To have Byleave answer its questions in an editor, add --acp.`
    : null
}
