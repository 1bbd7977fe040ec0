import type { ContinueRunBody, RunPartView, StartRunBody, StoryItemView } from "@byleave/api"
import type {
  AgentRun,
  Approval,
  JsonObject,
  PausedRun,
  Requirement,
  RunRefusal,
  RunSetup,
  RunStarter,
} from "@byleave/core"

/** A message as the API takes it. */
export type RunMessage = NonNullable<StartRunBody["messages"]>[number]

export type AgentRunOrder = Pick<RunSetup, "servers"> &
  Partial<Pick<RunSetup, "model" | "instructions" | "maxSteps" | "trace" | "metadata">> & {
    readonly messages: readonly RunMessage[]
    readonly face?: JsonObject
  }

/** What a run goes on with. */
export type AgentRunInput = {
  readonly messages?: readonly RunMessage[]
  readonly setup?: Pick<Exclude<ContinueRunBody, readonly unknown[]>, "model" | "servers" | "instructions">
}

export type AgentRunsRefusal =
  | RunRefusal
  | { readonly code: "no-model" | "too-many-runs" | "run-too-large"; readonly detail: string }
  | { readonly code: "state-used" }
  | { readonly code: "run-waits"; readonly missing: readonly Requirement[] }

export type AgentRunsAnswer =
  | { readonly ok: true; readonly run: AgentRun }
  | { readonly ok: false; readonly refusal: AgentRunsRefusal }

export type AgentRunNews =
  | { readonly type: "part"; readonly leg: number; readonly part: RunPartView }
  | { readonly type: "retry"; readonly leg: number; readonly attempt: number }
  | { readonly type: "leg-ended"; readonly leg: number }

/** A program with a runner's token. */
export type ProgramCaller = {
  readonly starter: RunStarter
  /** Its token was made to convey what people decide. */
  readonly conveysDecisions: boolean
}

/** Whoever sends a request of a page, with all that routes decide about it. */
export type PageCaller = {
  readonly starter: RunStarter
  /** Whether the run is there for the caller. */
  readonly mayUse: (run: AgentRun) => boolean
  /** Takes an answer to a call that waits. Null: it counts; otherwise the reason why it does not. */
  readonly decide: (
    approval: Approval,
    answer: { readonly approve: boolean; readonly reason?: string },
  ) => Promise<string | null>
  /** The run that the page wishes to begin; or what is wrong with the wish. */
  readonly orderFor: (wish: {
    readonly model?: string
    readonly servers?: readonly string[]
    readonly instructions?: string
  }) => Omit<AgentRunOrder, "messages"> | { readonly problem: string }
}

/** Carries agent runs out, for the routes; who may ask for what is theirs to say. */
export type AgentRuns = {
  readonly start: (order: AgentRunOrder, by: RunStarter) => Promise<AgentRunsAnswer>
  readonly go: (id: string, input: AgentRunInput, by: string) => Promise<AgentRunsAnswer>
  readonly cancel: (id: string, by: string) => Promise<AgentRunsAnswer>
  readonly remove: (id: string, by: string) => Promise<boolean>
  /** Resolves once no leg of the run is under way, or when told to stop waiting. */
  readonly settled: (id: string, signal: AbortSignal) => Promise<AgentRun | undefined>
  /** Hears the leg under way from its beginning, then everything. Returns how to stop. */
  readonly watch: (id: string, listener: (news: AgentRunNews) => void) => () => void
  /** What was said and done after that line of the journal; `next`: the line to go on after. */
  readonly story: (
    id: string,
    after: number,
  ) => Promise<{ readonly items: readonly StoryItemView[]; readonly next: number | null }>
  /** What the model said in the newest leg; empty until it has ended. */
  readonly textOf: (run: AgentRun) => Promise<string>
  /** A paused run as sealed text that can be carried elsewhere; null where it is not carried. */
  readonly stateOf: (run: PausedRun) => Promise<string | null>
  /** Names of the configured models; the first is the default. */
  readonly models: () => readonly string[]
  /** Answers a request to OpenAI's Responses API. */
  readonly answerResponses: (request: Request, caller: ProgramCaller) => Promise<Response>
  readonly answerAgUi: (request: Request, caller: PageCaller) => Promise<Response>
  readonly answerUiChat: (request: Request, caller: PageCaller) => Promise<Response>
  /** `chat`: a run's id, or the page's own name for the conversation. */
  readonly reopenUiChat: (chat: string, request: Request, caller: PageCaller) => Promise<Response>
}
