import type { Command } from "commander"
import type { Done, Io } from "./io.ts"

type Add = (program: Command, io: Io, done: Done) => void

/** Every command and where it is. Only the one that was named is loaded: a client waits for `wrap` to start. */
const commands: ReadonlyMap<string, () => Promise<Add>> = new Map<string, () => Promise<Add>>([
  ["init", async () => (await import("./commands/service/init.ts")).addInit],
  ["open", async () => (await import("./commands/review/open.ts")).addOpen],
  ["serve", async () => (await import("./commands/service/serve.ts")).addServe],
  ["wrap", async () => (await import("./commands/agents/wrap.ts")).addWrap],
  ["run", async () => (await import("./commands/runs/run.ts")).addRun],
  ["runs", async () => (await import("./commands/runs/runs.ts")).addRuns],
  ["pending", async () => (await import("./commands/review/pending.ts")).addPending],
  ["approve", async () => (await import("./commands/review/verdict.ts")).addApprove],
  ["deny", async () => (await import("./commands/review/verdict.ts")).addDeny],
  ["run-now", async () => (await import("./commands/review/run-now.ts")).addRunNow],
  ["rerun", async () => (await import("./commands/runs/rerun.ts")).addRerun],
  ["watch", async () => (await import("./commands/review/watch.ts")).addWatch],
  ["grants", async () => (await import("./commands/review/grants.ts")).addGrants],
  ["tokens", async () => (await import("./commands/service/tokens.ts")).addTokens],
  ["reviewers", async () => (await import("./commands/review/reviewers.ts")).addReviewers],
  ["sessions", async () => (await import("./commands/agents/sessions.ts")).addSessions],
  ["servers", async () => (await import("./commands/service/servers.ts")).addServers],
  ["policy", async () => (await import("./commands/policy/policy.ts")).addPolicy],
  ["import", async () => (await import("./commands/policy/import-rules.ts")).addImport],
  ["export", async () => (await import("./commands/policy/export-rules.ts")).addExport],
  ["copilot", async () => (await import("./commands/agents/launch.ts")).addCopilot],
  ["prompt-tool", async () => (await import("./commands/agents/prompt-tool.ts")).addPromptTool],
  ["launch", async () => (await import("./commands/agents/launch.ts")).addLaunch],
  ["audit", async () => (await import("./commands/service/audit.ts")).addAudit],
  ["replay", async () => (await import("./commands/runs/replay.ts")).addReplay],
  ["setup", async () => (await import("./commands/agents/setup.ts")).addSetup],
  ["stop", async () => (await import("./commands/service/stop.ts")).addStop],
  ["doctor", async () => (await import("./commands/service/doctor.ts")).addDoctor],
])

/** The command that the first word names; all commands if it names none, for help and for errors. The version needs none. */
export async function commandsFor(word: string | undefined): Promise<readonly Add[]> {
  if (word === "--version") return []
  const named = word === undefined ? undefined : commands.get(word)
  return Promise.all(named === undefined ? [...commands.values()].map((load) => load()) : [named()])
}
