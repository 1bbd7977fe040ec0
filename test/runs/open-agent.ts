import type { JsonObject, Policy, ScriptedStep, Store } from "@byleave/core"
import { type Agent, type AgentOptions, createAgent, type HostTool, type OpenRun, openModel } from "@byleave/runs"
import { createRunStates, stateKeyFrom } from "@byleave/runs/state"
import { ana, memoryStore, newId, openEngine, policyOf, rule } from "../engine/open-engine.ts"

export type AgentWorld = {
  readonly agent: Agent
  readonly store: Store
  /** Every call of a function that ran. */
  readonly ran: Array<{ readonly tool: string; readonly args: JsonObject }>
  readonly troubles: unknown[]
}

const clusterPolicy: Policy = policyOf([rule("allow", "cluster(list_*)"), rule("hide", "cluster(admin_*)")])

/** An agent with functions `cluster(list_pods)`, `cluster(delete_pod)`, `cluster(admin_reset)`, and `clock`, which is not gated. */
export async function openAgent(
  steps: readonly ScriptedStep[],
  more: Partial<AgentOptions> & { readonly policy?: Policy; readonly store?: Store; readonly key?: string } = {},
): Promise<AgentWorld> {
  const { policy = clusterPolicy, store = memoryStore({ now: 1_800_000_000_000 }), key = "key", ...options } = more
  const { gate, clock } = await openEngine(policy, { store })
  const ran: AgentWorld["ran"] = []
  const troubles: unknown[] = []
  const tool = (name: string): HostTool => ({
    inputSchema: { type: "object" },
    run: async (args) => {
      ran.push({ tool: name, args })
      if (args.name === "broken") throw new Error("It is broken.")
      return `${name} is done`
    },
  })
  const names = ["list_pods", "delete_pod", "admin_reset"]
  const agent = createAgent({
    gate,
    model: await openModel({ name: "scripted", provider: "scripted", steps }),
    functions: { cluster: Object.fromEntries(names.map((name) => [name, tool(name)])) },
    ungated: { clock: tool("clock") },
    reviewer: ana,
    states: createRunStates({ gate, key: stateKeyFrom(key), newId, now: Date.now }),
    newId,
    now: () => clock.now,
    onTrouble: (trouble) => troubles.push(trouble),
    ...options,
  })
  return { agent, store, ran, troubles }
}

export async function runTask({ agent }: AgentWorld, task: string): Promise<OpenRun> {
  const started = await agent.run(task)
  if (!started.ok) throw new Error(started.refusal.code)
  return started.run
}
