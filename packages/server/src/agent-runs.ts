import type {
  ContinueRunBody,
  ModelView,
  RunAnswerView,
  RunPartView,
  RunPictureView,
  StartRunBody,
  StoryItemView,
} from "@byleave/api"
import type {
  AgentRun,
  Approval,
  JsonObject,
  Requirement,
  Reviewer,
  RunPrincipal,
  RunRefusal,
  RunSetup,
  RunStarter,
  StateRefusal,
} from "@byleave/core"
import type { ReadTurns } from "./guard/run-reads.ts"

/** A message as the API takes it. */
export type RunMessage = NonNullable<StartRunBody["messages"]>[number]

export type AgentRunOrder = Pick<RunSetup, "servers"> &
  Partial<Pick<RunSetup, "model" | "instructions" | "maxSteps" | "trace" | "metadata">> & {
    readonly messages: readonly RunMessage[]
    readonly principal?: RunPrincipal
    readonly title?: string
    readonly face?: JsonObject
  }

/** The input that a run continues with. */
export type AgentRunInput = {
  readonly messages?: readonly RunMessage[]
  readonly setup?: Pick<Exclude<ContinueRunBody, readonly unknown[]>, "model" | "servers" | "instructions">
}

export type AgentRunsRefusal =
  | RunRefusal
  | { readonly code: "no-model" | "too-many-runs" | "run-too-large"; readonly detail: string }
  | { readonly code: "state-used" }
  | StateRefusal
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
  readonly reads: ReadTurns
  /** Bytes of the body that it sent. */
  readonly sent: number
  readonly starter: RunStarter
  /** Its token was made to convey what people decide. */
  readonly conveysDecisions: boolean
}

/** The sender of a page's request, with all that routes decide about it. */
export type PageCaller = {
  readonly starter: RunStarter
  /** Reads so many bytes of a run when it is the caller's turn. */
  readonly readInTurn: ReadTurns["finish"]
  /** Whether the run is there for the caller. */
  readonly mayUse: (run: Pick<AgentRun, "startedBy" | "createdAt">) => boolean
  /** Takes an answer to a call that waits. Null: it counts; otherwise the reason why it does not. */
  readonly decide: (
    approval: Approval,
    answer: { readonly approve: boolean; readonly reason?: string },
  ) => Promise<string | null>
  /** The run that the page wishes to begin; or the problem with the wish. */
  readonly orderFor: (wish: {
    readonly model?: string
    readonly servers?: readonly string[]
    readonly instructions?: string
  }) => Omit<AgentRunOrder, "messages"> | { readonly problem: string }
}

/** Carries agent runs out, for the routes, which decide who may ask for what. */
export type AgentRuns = {
  readonly start: (order: AgentRunOrder, by: RunStarter) => Promise<AgentRunsAnswer>
  readonly go: (id: string, input: AgentRunInput, by: string) => Promise<AgentRunsAnswer>
  /** Ends the leg under way and withdraws the waiting calls, or denies them where a reviewer is named; a message lets the run go on. */
  readonly stop: (id: string, by: string, deniedBy?: Reviewer) => Promise<AgentRunsAnswer>
  readonly rename: (id: string, title: string, by: string) => Promise<AgentRunsAnswer>
  /** The configured models; the first is the default. */
  readonly models: () => readonly ModelView[]
  readonly cancel: (id: string, by: string) => Promise<AgentRunsAnswer>
  readonly remove: (id: string, by: string) => Promise<boolean>
  /** Resolves once no leg of the run is under way, or when told to stop waiting. */
  readonly settled: (id: string, signal: AbortSignal) => Promise<AgentRun | undefined>
  /** Hears the leg under way from its beginning, then everything. Returns how to stop. */
  readonly watch: (id: string, listener: (news: AgentRunNews) => void) => () => void
  /** The story of the run after that line of the journal; `next`: the line to continue after. */
  readonly story: (
    id: string,
    after: number,
  ) => Promise<{ readonly items: readonly StoryItemView[]; readonly next: number | null }>
  /** Looks for words, given in lower case, in what was said in the run; `read`: how many characters of its journal were read, `most` or a little more. */
  readonly isSaidIn: (
    id: string,
    wanted: { readonly words: string; readonly most: number },
  ) => Promise<{ readonly isFound: boolean; readonly read: number }>
  /** A picture of a message, by its line and its place; null: there is none. */
  readonly picture: (id: string, seq: number, nth: number) => Promise<RunPictureView | null>
  /** The same, all of it and uncut. */
  readonly wholeStory: (id: string) => Promise<readonly StoryItemView[]>
  /** Takes configured secrets out of words. */
  readonly redact: (text: string) => string
  /** The model's text in the newest leg; empty until the leg has ended. */
  readonly textOf: (run: AgentRun) => Promise<string>
  /** The state of the run, for its starter: its requirements, its text, and the run itself, sealed. */
  readonly respond: (run: AgentRun) => Promise<AgentRunResponse>
  /** The run that a session leads to; null where it is none of ours. */
  readonly runOfSession: (session: string) => Promise<string | null>
  /** Why the run cannot go on with that session; null where it can. */
  readonly checkSession: (session: string, run: AgentRun) => Promise<StateRefusal | null>
  /** Takes a run away as one sealed text; it ends here. */
  readonly exportRun: (
    id: string,
    options: { readonly by: string; readonly format: "zstd" | "gzip" },
  ) => Promise<ExportedAgentRun>
  /** Lets a run go on here that was exported. */
  readonly importRun: (text: string, by: RunStarter) => Promise<AgentRunsAnswer>
  /** A run that is over, as a recording. */
  readonly recordRun: (run: AgentRun) => Promise<string>
  /** Answers a request to OpenAI's Responses API. */
  readonly answerResponses: (request: Request, caller: ProgramCaller) => Promise<Response>
  readonly answerAgUi: (request: Request, caller: PageCaller) => Promise<Response>
  readonly answerUiChat: (request: Request, caller: PageCaller) => Promise<Response>
  /** `chat`: a run's id, or the page's own name for the conversation. */
  readonly reopenUiChat: (chat: string, request: Request, caller: PageCaller) => Promise<Response>
}

/** The run's own part of the answer to a start and to a continue. */
export type AgentRunResponse = Pick<
  RunAnswerView,
  | "conversation_id"
  | "text"
  | "data"
  | "needs_approval"
  | "has_pending_approvals"
  | "is_complete"
  | "paused_run_state"
  | "pending_requirements"
>

export type ExportedAgentRun =
  | { readonly ok: true; readonly state: string; readonly text: string }
  | { readonly ok: false; readonly refusal: AgentRunsRefusal }
