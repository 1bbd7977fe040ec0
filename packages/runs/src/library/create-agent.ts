import type { LanguageModelV4 } from "@ai-sdk/provider"
import {
  asObject,
  type Gate,
  type JsonValue,
  type Redactor,
  type Reviewer,
  type RunStarter,
  textAt,
} from "@byleave/core"
import { createRuns } from "../create-runs.ts"
import { type HostToolsOptions, type NamedHostTools, withHostTools } from "../host-tools.ts"
import { modelFailure } from "../models/model-failure.ts"
import type { RunLimits } from "../run-limits.ts"
import type { RunOrder, Runs, RunsAnswer } from "../runs.ts"
import type { ToolSource } from "../tools.ts"
import { type OpenRun, openRun } from "./open-run.ts"

export type AgentOptions = {
  readonly gate: Gate
  readonly model: LanguageModelV4
  readonly instructions?: string
  /** The servers whose tools it may use, and where those come from. */
  readonly servers?: readonly string[]
  readonly tools?: ToolSource
  /** Functions of this program, by a server's name that none of the servers has: judged like any tool. */
  readonly functions?: HostToolsOptions["gated"]
  /** Functions that nobody is asked about. */
  readonly ungated?: NamedHostTools
  /** Whose answers `confirm` and `reject` are. */
  readonly reviewer: Reviewer
  /** Carries runs as sealed texts, as `@byleave/runs/state` does; absent: they stay in the store. */
  readonly states?: RunStates
  readonly newId: () => string
  readonly now: () => number
  readonly redactor?: Pick<Redactor, "redactText">
  readonly limits?: Partial<RunLimits>
  readonly onTrouble?: (trouble: unknown) => void
}

export type RunStates = {
  readonly export: (id: string, by: string) => Promise<Carried>
  readonly import: (runs: Runs, text: string, by: RunStarter) => Promise<RunsAnswer | Refused>
}
type Refused = { readonly ok: false; readonly refusal: { readonly code: string } }
type Carried = { readonly ok: true; readonly text: string } | Refused

export type AgentAnswer = { readonly ok: true; readonly run: OpenRun } | Refused

export type Agent = {
  /** Starts a run and resolves when it has paused or ended. */
  readonly run: (
    task: string,
    more?: Pick<RunOrder, "trace" | "metadata" | "title" | "maxSteps">,
  ) => Promise<AgentAnswer>
  readonly open: (id: string) => Promise<OpenRun | undefined>
  /** Seals a run that is not at work, to be carried elsewhere: it ends here. */
  readonly export: (id: string) => Promise<Carried>
  /** Opens what `toJSON` of a run gave, or imports a sealed state: `{run}`, or `{state}`. */
  readonly fromJSON: (value: JsonValue) => Promise<AgentAnswer>
  /** The run named by a message's id goes on once its last call is decided about. */
  readonly continueWithPermission: (messageId: string, toolCallId: string, granted: boolean) => Promise<AgentAnswer>
  readonly runs: Runs
  readonly close: () => Promise<void>
}

/** An agent within this program: its model, its tools, and the gate that decides what runs. */
export function createAgent(options: AgentOptions): Agent {
  const { gate, model, reviewer, newId, now, servers = [], functions = {}, states } = options
  const source = options.tools
  const tools = withHostTools({ gate, gated: functions, servers, ...(source === undefined ? {} : { source }) })
  const redactor = options.redactor ?? { redactText: (text: string) => text }
  const starter: RunStarter = { kind: "reviewer", id: reviewer.id }
  const runs = createRuns({
    gate,
    tools,
    ...(options.ungated === undefined ? {} : { ungated: options.ungated }),
    openModel: async () => model,
    defaultModel: () => model.modelId,
    failureOf: (error) => modelFailure(error, redactor),
    redactText: redactor.redactText,
    newId,
    now,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    onTrouble: options.onTrouble ?? (() => {}),
  })
  const ports = { gate, runs, reviewer }
  const opened = async (answer: RunsAnswer | Refused): Promise<AgentAnswer> => {
    if (!answer.ok) return answer
    const run = await openRun(ports, answer.run.id)
    return run === undefined ? notFound : { ok: true, run }
  }
  return {
    run: async (task, more = {}) => {
      const { instructions } = options
      const order: RunOrder = {
        messages: [{ role: "user", content: task }],
        servers: [...servers, ...Object.keys(functions)],
        ...(instructions === undefined ? {} : { instructions }),
        ...more,
      }
      return opened(await runs.start(order, starter))
    },
    open: (id) => openRun(ports, id),
    export: async (id) => (await states?.export(id, reviewer.id)) ?? notCarried,
    fromJSON: async (value) => {
      const state = textAt(asObject(value), "state")
      if (state !== undefined) return opened((await states?.import(runs, state, starter)) ?? notCarried)
      const run = await openRun(ports, textAt(asObject(value), "run") ?? "")
      return run === undefined ? notFound : { ok: true, run }
    },
    continueWithPermission: async (messageId, toolCallId, granted) => {
      const run = await openRun(ports, messageId)
      return run === undefined ? notFound : run.continueWithPermission(toolCallId, granted)
    },
    runs,
    close: () => runs.close(),
  }
}

const notFound = { ok: false, refusal: { code: "run-not-found" } } as const
const notCarried = { ok: false, refusal: { code: "runs-are-not-carried" } } as const
