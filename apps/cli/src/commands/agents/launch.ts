import { type LaunchSwitch, launchSwitches } from "@byleave/api"
import type { Command } from "commander"
import { rulesOption } from "../../config/config-option.ts"
import { reportFailure } from "../../failure.ts"
import { dataOption } from "../../files/data-folder.ts"
import type { Done, Io } from "../../io.ts"
import { type LaunchClient, launchClients, otherClients } from "../../launch/launch-clients.ts"
import { type GivenLaunchFlags, launchCommand } from "../../launch/launch-command.ts"

type CopilotFlags = GivenLaunchFlags & {
  readonly allowAll?: true
  readonly allowAllTools?: true
  readonly allowAllPaths?: true
  readonly allowAllUrls?: true
}

export function addCopilot(program: Command, io: Io, done: Done): void {
  withLaunchOptions(program.command("copilot"))
    .description("run Copilot CLI with the permissions in force")
    .option("--allow-all", "Copilot CLI asks nothing by itself; same as the next three")
    .option("--allow-all-tools", "Copilot CLI does not ask before it uses a tool")
    .option("--allow-all-paths", "Copilot CLI does not check paths")
    .option("--allow-all-urls", "Copilot CLI does not ask before it opens an address")
    .argument("[args...]", "arguments for Copilot CLI, after --")
    .addHelpText("after", copilotExamples)
    .action(async (args: readonly string[], flags: CopilotFlags) => {
      done(await launchCommand(io, clientOf("copilot") as LaunchClient, flags, { args, switches: switchesOf(flags) }))
    })
}

const copilotExamples = `
What Byleave allows and denies becomes --allow-tool and --deny-tool; standard error names every rule that cannot be said so. The flags
are the same for new, resumed and continued runs. The switches --allow-all… change what Copilot CLI asks by itself. Byleave's rules still
hold for every call that passes through Byleave; to change a session's mode, use the inbox or \`byleave sessions mode\`.

Examples:
  byleave copilot --print
  byleave copilot -- -p "Tidy the notes"
  byleave copilot --continue --allow-all-paths`

export function addLaunch(program: Command, io: Io, done: Done): void {
  withLaunchOptions(program.command("launch"))
    .option("--app-server", "run Codex for a client over stdio; Byleave answers its approval requests")
    .description("run an agent's program with the permissions in force")
    .argument("<client>", `the program: ${launchClients.map(({ id }) => id).join(", ")}`)
    .argument("[args...]", "arguments for the program, after --")
    .addHelpText("after", launchExamples)
    .action(async (name: string, args: readonly string[], flags: GivenLaunchFlags) => {
      const client = clientOf(name)
      if (client !== undefined) return done(await launchCommand(io, client, flags, { args, switches: [] }))
      const known = launchClients.map(({ id }) => id).join(", ")
      const error = otherClients.get(name) ?? `There is no program ${name}. Choose one of ${known}.`
      reportFailure({ error, code: "wrong-use" }, flags.json === true, io)
      done(2)
    })
}

const launchExamples = `
Examples:
  byleave launch claude -- -p "Tidy the notes"
  byleave launch codex --continue
  byleave launch gemini --print
  byleave launch codex --app-server
  byleave launch goose --acp`

function withLaunchOptions(command: Command): Command {
  return command
    .addOption(rulesOption())
    .addOption(dataOption())
    .option("--tools <file>", 'names of tools, as {"server": ["tool"]} (default: those of the running service)')
    .option("--print", "print the command for a shell instead of running it")
    .option("--resume [session]", "take up an earlier run")
    .option("--continue", "take up the last run")
    .option("--acp", "run it for an editor over stdio (ACP); Byleave answers its permission requests")
    .option("--json", "print one JSON object instead of running it")
}

function clientOf(name: string): LaunchClient | undefined {
  return launchClients.find(({ id }) => id === name)
}

function switchesOf({ allowAll, allowAllTools, allowAllPaths, allowAllUrls }: CopilotFlags): readonly LaunchSwitch[] {
  const isOn = {
    "--allow-all": allowAll,
    "--allow-all-tools": allowAllTools,
    "--allow-all-paths": allowAllPaths,
    "--allow-all-urls": allowAllUrls,
  } as const satisfies Record<LaunchSwitch, true | undefined>
  return launchSwitches.filter((each) => isOn[each] === true)
}
