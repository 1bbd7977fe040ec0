import { join } from "node:path"
import type { LaunchSwitch } from "@byleave/api"
import { launchFlags, type RuleLoss, shellQuoted } from "@byleave/formats/languages"
import { countOf } from "../config/problem-lines.ts"
import { lossLines } from "../config/rule-lines.ts"
import { reportFailure } from "../failure.ts"
import { dataFolder, openDataFolder } from "../files/data-folder.ts"
import { writePrivate } from "../files/private-file.ts"
import type { Io } from "../io.ts"
import { program } from "../program.ts"
import { createPaint, jsonLines, safeLines } from "../terminal/paint.ts"
import { announceLaunch } from "./announce-launch.ts"
import { configuredServers } from "./configured-servers.ts"
import { currentPermissions, type PermissionFlags } from "./current-permissions.ts"
import type { LaunchClient, RunStart } from "./launch-clients.ts"
import { switchesVariable } from "./switches.ts"

export type GivenLaunchFlags = PermissionFlags & {
  readonly print?: true
  readonly json?: true
  readonly resume?: string | true
  readonly continue?: true
}

/** Prints or runs a program with the flags of the permissions in force. Resolves to the exit code: the program's own if it ran. */
export async function launchCommand(
  io: Io,
  client: LaunchClient,
  flags: GivenLaunchFlags,
  { args, switches }: { readonly args: readonly string[]; readonly switches: readonly LaunchSwitch[] },
): Promise<number> {
  const json = flags.json === true
  if (flags.resume !== undefined && flags.continue === true) {
    reportFailure({ error: "Choose --resume or --continue.", code: "wrong-use" }, json, io)
    return 2
  }
  const permissions = await currentPermissions(flags, io)
  if ("error" in permissions) {
    reportFailure(permissions, json, io)
    return 1
  }
  const { policy, known, config } = permissions
  const data = dataFolder(flags.data, io)
  const file = join(data, `launch-${client.id}.toml`)
  const configured = await configuredServers(client, io)
  const said = launchFlags(client.id, policy, { known, configured, file })
  if (said.text !== null) {
    openDataFolder(data)
    writePrivate(file, said.text)
  }
  const losses = [...permissions.losses, ...said.losses]
  const answering = [process.execPath, program, "prompt-tool", "--data", data]
  const questions = client.questionWords?.(answering) ?? []
  const words = [...said.args, ...questions, ...switches, ...client.startWords(startOf(flags)), ...args]
  if (flags.print === true || json) {
    printWords(io, client, { words, losses, config, json })
    return 0
  }
  if (losses.length > 0) {
    io.stderr.write(`byleave: ${countOf(losses.length, "difference")} from the rules; see them with --print.\n`)
  }
  const end = await announceLaunch(data, { id: client.id, name: client.name, switches }, io)
  try {
    return await runIt(io, client, words, switches)
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
  readonly config: string
  readonly json: boolean
}

function printWords(io: Io, { id, command }: LaunchClient, { words, losses, config, json }: Printed): void {
  if (json) {
    io.stdout.write(jsonLines({ client: id, command, args: words, config, losses }))
    return
  }
  const line = [command, ...words].map(shellQuoted).join(" ")
  // Other programs get the words as they are; a terminal gets no control characters.
  io.stdout.write(`${io.stdout.isTerminal ? safeLines(line) : line}\n`)
  const summary = losses.length === 0 ? "Every rule is carried exactly." : `${countOf(losses.length, "difference")}.`
  io.stderr.write(`${lossLines(losses, config, createPaint(io.stderr, io.env))}${summary}\n`)
}

async function runIt(
  io: Io,
  { name, command, install }: LaunchClient,
  words: readonly string[],
  switches: readonly LaunchSwitch[],
): Promise<number> {
  const env = new Map(io.env)
  env.delete(switchesVariable)
  if (switches.length > 0) env.set(switchesVariable, switches.join(" "))
  const end = await io.runProgram({ command, args: words, env, cwd: io.cwd })
  if (end.kind === "ended") return end.code
  const error =
    end.kind === "missing"
      ? `${command} was not found. Install ${name} (\`${install}\`), or add its folder to PATH.`
      : `${command} could not be started: ${safeLines(end.why)}`
  reportFailure({ error }, false, io)
  return 1
}
