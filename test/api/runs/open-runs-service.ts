import type { Client } from "@byleave/api"
import { createClient } from "@byleave/api"
import type { JsonObject, Policy, ScriptedStep, ToolDefinition } from "@byleave/core"
import { isRefused, isRevoked, type ServerFacts } from "@byleave/server"
import { createLiveRedactor } from "../../../apps/cli/src/service/config/live-redactor.ts"
import { createLog } from "../../../apps/cli/src/service/process/log.ts"
import { openRuns } from "../../../apps/cli/src/service/runs/open-runs.ts"
import { type CountingTools, countingTools, usualPolicy } from "../../runs/open-runs.ts"
import { openService, type TestService, type TestServiceOptions, url } from "../open-service.ts"

const files: ServerFacts = {
  id: "files",
  transport: { kind: "stdio", command: "files", args: [], env: new Map(), cwd: "/" },
  health: { state: "ready" } as unknown as ServerFacts["health"],
  stopped: false,
  tools: ["read", "write", "delete", "move"],
}

function definitionOf(name: string): ToolDefinition {
  return { name, inputSchema: { type: "object" } }
}

export type RunsService = TestService & {
  readonly tools: CountingTools
  /** A program with a runner's token. */
  readonly runner: (name: string, conveysDecisions?: boolean) => Promise<Client>
  readonly tokenOf: (name: string, kind: "agent" | "gate" | "runner") => Promise<string>
}

/** The real handler with the composition's own runs, a scripted model, and a server that counts what reaches it. */
export async function openRunsService(
  steps: readonly ScriptedStep[],
  more: {
    readonly policy?: Policy
    readonly store?: "memory" | "sqlite"
    readonly tools?: CountingTools
    readonly models?: readonly string[]
    readonly onJournal?: NonNullable<TestServiceOptions["onJournal"]>
  } = {},
): Promise<RunsService> {
  const { policy = usualPolicy, store = "memory", tools = countingTools(), models = ["scripted"] } = more
  const service = await openService({
    policy,
    store,
    servers: [files],
    ...(more.onJournal === undefined ? {} : { onJournal: more.onJournal }),
    agentRuns: (gate, clock, { store, credentials }) =>
      openRuns(
        {
          redactor: createLiveRedactor(),
          log: createLog({ format: "text", level: "error", now: () => clock.now, write: () => {} }),
          isDemo: false,
          stateSecret: "the secret of both",
          io: { now: () => clock.now },
          models: () =>
            models.map((name) => ({ name, start: "", words: "", config: { name, provider: "scripted", steps } })),
          address: () => url,
          onTrouble: (trouble) => {
            throw trouble
          },
        },
        {
          gate,
          store,
          isRevoked: (run) => isRevoked(credentials.identify, run),
          gateway: {
            servers: () => [],
            toolsForRun: async (servers, who) => {
              const listing = await tools.list(servers, who)
              return {
                ...listing,
                tools: listing.tools.map((tool) => ({ ...tool, listed: { definition: definitionOf(tool.ref.tool) } })),
              }
            },
            changes: () => 0,
            prepareRunCall: async (_, call) => ({
              ok: true,
              run: (args: JsonObject, context) => tools.call(call, args, context),
              listed: { definition: definitionOf(call.tool.tool) },
            }),
          },
        },
      ),
  })
  await service.engine.gate.seeTools("files", files.tools.map(definitionOf))
  const tokenOf = async (id: string, kind: "agent" | "gate" | "runner", conveysDecisions = false): Promise<string> => {
    const made = await service.credentials.addToken({ id, kind, namesSessions: false, conveysDecisions }, null)
    if (isRefused(made)) throw new Error(made.detail)
    return made.secret
  }
  return {
    ...service,
    tools,
    tokenOf,
    runner: async (name, conveysDecisions) =>
      createClient({
        url,
        token: await tokenOf(name, "runner", conveysDecisions),
        fetch: async (input, init) => service.server.fetch(new Request(input as string, init)),
      }),
  }
}
