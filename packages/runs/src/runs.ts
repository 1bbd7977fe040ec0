import type { LanguageModelV4 } from "@ai-sdk/provider"
import type {
  AgentRun,
  Approval,
  CallerGate,
  CarriedRun,
  JournalLine,
  JsonObject,
  PausedRun,
  Requirement,
  Reviewer,
  RunGate,
  RunImported,
  RunPrincipal,
  RunRefusal,
  RunSetup,
  RunStarter,
} from "@byleave/core"
import type { ModelMessage, ToolSet } from "ai"
import type { NamedHostTools } from "./host-tools.ts"
import type { RunNews } from "./live-parts.ts"
import type { LegSettings } from "./loop/leg-ports.ts"
import type { ModelLimits, ModelTimeouts, RunLimits } from "./run-limits.ts"
import type { OfferedTool, ToolSource } from "./tools.ts"

export type RunsOptions = {
  readonly gate: RunGate & Pick<CallerGate, "events" | "approval">
  readonly tools: ToolSource
  /** Rejects with words that say what to do where a model cannot be used. */
  readonly openModel: (name: string) => Promise<LanguageModelV4>
  /** The name of the model that is used where nobody names one. */
  readonly defaultModel: () => string | undefined
  /** Functions of this program that nobody is asked about, by the names that models call them by. */
  readonly ungated?: NamedHostTools
  /** Tools of the run's starter, as its setup describes them; they are not gated. */
  readonly faceTools?: (run: AgentRun) => ToolSet
  /** Whether the model is told of a tool of the run's servers, by what its setup says; absent: of each. */
  readonly offers?: (run: AgentRun, tool: OfferedTool) => boolean
  /** Whether the starter of the run wants to be asked about the tool's calls, even where policy allows them. */
  readonly askFirst?: (run: AgentRun, tool: OfferedTool) => boolean
  readonly modelSettings?: (run: AgentRun) => LegSettings
  /** The input that a paused run continues with besides the answers; "missing": its starter must bring something first, and no process takes it up before. */
  readonly broughtInput?: (
    run: PausedRun,
    gate: Pick<RunGate, "journal">,
  ) => Promise<readonly ModelMessage[] | "missing">
  /** Takes configured secrets out of what a model says, before it is written down. */
  readonly redactText?: (text: string) => string
  /** Whether the credential that started the run was revoked since; absent: none is. */
  readonly isRevoked?: (run: Pick<AgentRun, "startedBy" | "createdAt">) => Promise<boolean>
  readonly failureOf: (error: unknown) => { readonly retryable: boolean; readonly detail: string }
  readonly newId: () => string
  readonly now: () => number
  readonly limits?: Partial<RunLimits>
  /** How often a model server that fails is asked again within one step. */
  readonly maxRetries?: number
  readonly timeouts?: Partial<ModelTimeouts>
  readonly modelLimits?: Partial<Pick<ModelLimits, "answerBytes" | "calls" | "callsRead">>
  readonly onTrouble: (trouble: unknown) => void
}

export type RunOrder = {
  readonly messages: readonly ModelMessage[]
  readonly principal?: RunPrincipal
  readonly model?: string
  readonly servers: readonly string[]
  readonly instructions?: string
  readonly maxSteps?: number
  readonly title?: string
  readonly trace?: RunSetup["trace"]
  readonly metadata?: JsonObject
  readonly face?: JsonObject
}

/** The input that a run continues with. */
export type RunInput = {
  readonly messages?: readonly ModelMessage[]
  readonly setup?: Partial<Pick<RunSetup, "model" | "servers" | "face">> & {
    /** Undefined: none from now on. */
    readonly instructions?: string | undefined
  }
}

/** A run that was carried here, with the lines of its journal in order. */
export type BroughtRun = Omit<CarriedRun, "id" | "startedBy" | "bytes"> & {
  readonly lines: ReadonlyArray<Pick<JournalLine, "name" | "text">>
}

export type RunsRefusal =
  | RunRefusal
  | Extract<RunImported, { readonly ok: false }>["refusal"]
  | { readonly code: "no-model"; readonly detail: string }
  | { readonly code: "too-many-runs"; readonly detail: string }
  | { readonly code: "run-too-large"; readonly detail: string }
  /** These are not answered yet; none: the starter must bring something else. */
  | { readonly code: "run-waits"; readonly missing: readonly Requirement[] }

export type RunsAnswer =
  | { readonly ok: true; readonly run: AgentRun }
  | { readonly ok: false; readonly refusal: RunsRefusal }

export type Runs = {
  readonly start: (order: RunOrder, by: RunStarter) => Promise<RunsAnswer>
  /** Takes a run over that was carried here, and lets it go on. */
  readonly bring: (run: BroughtRun, by: RunStarter) => Promise<RunsAnswer>
  /** Begins another leg: with a message, after the last answer, or after a failure. */
  readonly go: (id: string, input: RunInput, by: string | null) => Promise<RunsAnswer>
  /** Ends the leg under way, keeping what the model has said so far, and withdraws what waits, or denies it where a reviewer is named. A message lets the run go on. */
  readonly stop: (id: string, by: string, deniedBy?: Reviewer) => Promise<RunsAnswer>
  readonly cancel: (id: string, by: string, detail?: string) => Promise<RunsAnswer>
  /** Cancels the run where its starter's credential was revoked; false: it was not. */
  readonly endRevoked: (run: Pick<AgentRun, "id" | "startedBy" | "createdAt">) => Promise<boolean>
  readonly remove: (id: string, by: string) => Promise<boolean>
  readonly get: (id: string) => Promise<AgentRun | undefined>
  /** The requirements that nobody has answered, with their approvals. */
  readonly waitsFor: (run: AgentRun) => Promise<readonly Waiting[]>
  /** Resolves once no process carries a leg of the run out, or when told to stop waiting. */
  readonly settled: (id: string, signal?: AbortSignal) => Promise<AgentRun | undefined>
  readonly watch: (id: string, listener: (news: RunNews) => void) => () => void
  /** Takes up runs that wait for nobody. Returns how many. */
  readonly takeUp: () => Promise<number>
  /** Keeps the leases of the legs under way. Called more often than leases last. */
  readonly renewLeases: () => Promise<void>
  readonly close: () => Promise<void>
}

export type Waiting = { readonly requirement: Requirement; readonly approval: Approval }
