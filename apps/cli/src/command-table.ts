import type { Command } from "commander"
import type { Done, Io } from "./io.ts"

type Add = (program: Command, io: Io, done: Done) => void

/** Every command and where it is. Only the one that was named is loaded: a client waits for `wrap` to start. */
const commands: ReadonlyMap<string, () => Promise<Add>> = new Map<string, () => Promise<Add>>([
  ["init", async () => (await import("./commands/init.ts")).addInit],
  ["open", async () => (await import("./commands/open.ts")).addOpen],
  ["serve", async () => (await import("./commands/serve.ts")).addServe],
  ["wrap", async () => (await import("./commands/wrap.ts")).addWrap],
  ["run", async () => (await import("./commands/run.ts")).addRun],
  ["runs", async () => (await import("./commands/runs.ts")).addRuns],
  ["pending", async () => (await import("./commands/pending.ts")).addPending],
  ["approve", async () => (await import("./commands/verdict.ts")).addApprove],
  ["deny", async () => (await import("./commands/verdict.ts")).addDeny],
  ["run-now", async () => (await import("./commands/run-now.ts")).addRunNow],
  ["rerun", async () => (await import("./commands/rerun.ts")).addRerun],
  ["watch", async () => (await import("./commands/watch.ts")).addWatch],
  ["grants", async () => (await import("./commands/grants.ts")).addGrants],
  ["tokens", async () => (await import("./commands/tokens.ts")).addTokens],
  ["reviewers", async () => (await import("./commands/reviewers.ts")).addReviewers],
  ["sessions", async () => (await import("./commands/sessions.ts")).addSessions],
  ["servers", async () => (await import("./commands/servers.ts")).addServers],
  ["policy", async () => (await import("./commands/policy.ts")).addPolicy],
  ["import", async () => (await import("./commands/import-rules.ts")).addImport],
  ["export", async () => (await import("./commands/export-rules.ts")).addExport],
  ["copilot", async () => (await import("./commands/launch.ts")).addCopilot],
  ["prompt-tool", async () => (await import("./commands/prompt-tool.ts")).addPromptTool],
  ["launch", async () => (await import("./commands/launch.ts")).addLaunch],
  ["audit", async () => (await import("./commands/audit.ts")).addAudit],
  ["replay", async () => (await import("./commands/replay.ts")).addReplay],
  ["setup", async () => (await import("./commands/setup.ts")).addSetup],
  ["stop", async () => (await import("./commands/stop.ts")).addStop],
  ["doctor", async () => (await import("./commands/doctor.ts")).addDoctor],
])

/** The command that the first word names; all commands if it names none, for help and for errors. The version needs none. */
export async function commandsFor(word: string | undefined): Promise<readonly Add[]> {
  if (word === "--version") return []
  const named = word === undefined ? undefined : commands.get(word)
  return Promise.all(named === undefined ? [...commands.values()].map((load) => load()) : [named()])
}
