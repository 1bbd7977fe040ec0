import type { ModelConfig, ModelProvider, Policy, ServerPolicy } from "@byleave/core"
import type { ConfigProblem } from "./problem.ts"

/** `byleave`: our own file; `mcp-servers`: a client's JSON; `per-server`: server ids at the top, tool lists beside `url`. */
export type ConfigFormat = "byleave" | "mcp-servers" | "per-server"

/** How a server is reached, with environment references already replaced. */
export type Transport =
  | {
      readonly kind: "stdio"
      readonly command: string
      readonly args: readonly string[]
      readonly env: ReadonlyMap<string, string>
      /** Absolute; absent: the folder of the configuration. */
      readonly cwd?: string
    }
  | { readonly kind: "http" | "sse"; readonly url: string; readonly headers: ReadonlyMap<string, string> }

/** Tools beyond these limits are not known, so they cannot be called. */
export type ToolListSettings = {
  readonly pages?: number
  readonly tools?: number
  /** Of all definitions together. */
  readonly bytes?: number
  /** For all pages. */
  readonly ms?: number
  /** How long it is used where nothing tells that another server answers by now. */
  readonly goodMs?: number
}

/** One upstream server: what policy knows of it, and how to reach it. */
export type ServerConfig = ServerPolicy & {
  readonly transport: Transport
  /** The same with references in place of what the environment fills in, to be shown; absent: it fills in nothing that may be secret. */
  readonly written?: Transport
  /** How long one call may take once it runs. */
  readonly timeoutMs?: number
  /** How much of its tool list is read, where that is not as usual. */
  readonly toolList?: ToolListSettings
  /** Connect anew for every call. */
  readonly refreshConnection?: boolean
}

/** A model that runs may use. The first of a file is the default. */
export type ModelSettings = {
  readonly name: string
  readonly provider: ModelProvider
  /** Null: it cannot be used, as a warning says. */
  readonly config: ModelConfig | null
  /** The same with references in place of what the environment fills in, to be shown; absent: it fills in nothing that may be secret. */
  readonly written?: ModelConfig
  /** The file that a scripted model's steps are in, absolute; `config` has none until it is read. */
  readonly script?: string
  /** Its values that must not appear in a log or record. */
  readonly secrets: readonly string[]
}

export type ReviewerSettings = {
  /** `none`: a credential alone may approve; for demonstrations and tests. */
  readonly presence: "pin" | "none"
  /** The names of the reviewers in each group that rules may ask for. */
  readonly groups: ReadonlyMap<string, readonly string[]>
}

/** A local file in which others say what they think of servers, and the public key that it must be signed with. */
export type ReputationSettings = { readonly file: string; readonly key: string }

/** The settings of the service itself and of the people who answer. */
export type ServiceSettings = {
  readonly agents: {
    /** Agents may call without a token. */
    readonly anonymous: boolean
    /** Requests of one agent that are open at once, without those that wait for a person; null: the usual number. */
    readonly openRequests: number | null
    /** Bytes of the bodies of one agent's open requests, without those that wait for a person. */
    readonly bodyBytes: number
  }
  /** Connections to the service at once, of agents and people together. */
  readonly connections: number
  /** An answer given inside the agent's client counts. */
  readonly decideInClient: boolean
  /** How long arguments and results are kept, in milliseconds; null: for ever. */
  readonly retention: number | null
  /** Names of hosts the service answers to besides its own address, in small letters. */
  readonly hosts: readonly string[]
  /** Origins of pages that may speak with the service besides its own. */
  readonly origins: readonly string[]
  readonly reviewers: ReviewerSettings
  /** Shown to people; no decision rests on it. Null: none. */
  readonly reputation: ReputationSettings | null
}

export type Config = ServiceSettings & {
  readonly format: ConfigFormat
  readonly servers: readonly ServerConfig[]
  readonly models: readonly ModelSettings[]
  readonly policy: Policy
  /** Values that must not appear in a log or record. */
  readonly secrets: readonly string[]
}

export type LoadResult =
  | { readonly ok: true; readonly config: Config; readonly warnings: readonly ConfigProblem[] }
  | {
      readonly ok: false
      readonly problems: readonly ConfigProblem[]
      readonly warnings: readonly ConfigProblem[]
      /** When all errors are elsewhere: good for finding more that is odd, not for deciding. */
      readonly policy?: Policy
    }
