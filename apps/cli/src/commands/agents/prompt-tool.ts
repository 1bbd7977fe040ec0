import { showText } from "@byleave/core"
import type { Command } from "commander"
import { dataFolder, dataOption } from "../../files/data-folder.ts"
import type { Done, ExitCode, Io } from "../../io.ts"
import { openPermissionGate } from "../../questions/permission-gate.ts"
import { servePromptTool } from "../../questions/prompt-tool.ts"
import { urlOption } from "../../reach/find-service.ts"
import { version } from "../../version.ts"
import { reachGate } from "../../wrap/reach-gate.ts"

type Flags = { readonly data?: string; readonly url?: string }

export function addPromptTool(program: Command, io: Io, done: Done): void {
  program
    .command("prompt-tool")
    .description("an MCP server whose tool answers Claude Code's permission questions; for use in its configuration")
    .addOption(dataOption())
    .addOption(urlOption())
    .addHelpText("after", examples)
    .action(async (flags: Flags) => done(await promptToolCommand(io, flags)))
}

const examples = `
\`byleave launch claude\` uses it by itself. Each question is a call of the server \`claude\`, such as claude(Bash): rules decide it, or it
waits for a person. While the service is unreachable, every answer is no.

Example:
  claude -p "Tidy the notes" --mcp-config '{"mcpServers":{"byleave":{"command":"byleave","args":["prompt-tool"]}}}' \\
    --permission-prompt-tool mcp__byleave__permission`

async function promptToolCommand(io: Io, flags: Flags): Promise<ExitCode> {
  const say = (line: string): void => io.stderr.write(`byleave: ${showText(line)}\n`)
  const service = await reachGate(io, dataFolder(flags.data, io), flags.url, say)
  if (service === null) return 3
  const gate = openPermissionGate({
    ...{ program: "claude", name: "Claude Code", service, folder: io.cwd, pid: io.pid, now: io.now, log: say },
  })
  const { input, output } = io.streams()
  void io.untilStopped().then(() => input.destroy())
  await servePromptTool({ gate, input, output, version })
  await gate.close()
  return 0
}
