import type { HealthView, ServerView } from "@byleave/api"
import type {
  Approval,
  BodyBudget,
  Call,
  CallerGate,
  EpochMs,
  GateUpkeep,
  Hasher,
  JsonObject,
  Policy,
  PolicyPorts,
  Redactor,
  ReviewerGate,
  Run,
  RunGate,
  SchemaValidator,
  Session,
  Signer,
  Store,
  UnreadBudget,
} from "@byleave/core"
import type { AgentRuns } from "./agent-runs.ts"
import type { AgentSetup } from "./agent-setup.ts"
import type { ConfigText, RuleLanguages } from "./config-text.ts"
import type { Credentials } from "./credentials/create-credentials.ts"
import type { StartTurns } from "./guard/program-starts.ts"
import type { ServerOwners } from "./server-owners.ts"
import type { SessionFacts } from "./session-facts.ts"

/** A server as the gateway knows it; what is secret in it never leaves this package. */
export type ServerFacts = {
  readonly id: string
  readonly transport:
    | {
        readonly kind: "stdio"
        readonly command: string
        readonly args: readonly string[]
        readonly env: ReadonlyMap<string, string>
        readonly cwd: string
      }
    | { readonly kind: "http" | "sse"; readonly url: string; readonly headers: ReadonlyMap<string, string> }
  readonly health: HealthView
  /** By a person, until it is started. */
  readonly stopped: boolean
  /** Whether its configuration gives it an environment or headers of its own. */
  readonly hasCredentials?: boolean
  /** The omissions from a tool list that is too long, in words for people; absent or null: none. */
  readonly toolsCut?: string | null
  /** Other people's opinion of it, as people may read it; absent: nothing is said. */
  readonly reputation?: NonNullable<ServerView["reputation"]>
  /** Names as the server lists them. */
  readonly tools: readonly string[]
}

/** One number for `/metrics`. */
export type Measure = {
  readonly name: string
  readonly help: string
  readonly type: "counter" | "gauge"
  readonly value: number
  readonly labels?: ReadonlyMap<string, string>
}

/** The answer of a tool, or of the gate before it. */
export type ToolReply = { readonly kind: "result"; readonly result: JsonObject } | { readonly kind: "error" }

/** How an approved call is run that nobody waits for. */
export type RunsWithoutClient = {
  /** A sentence for people, without connecting to the server; null: nothing speaks against it. Undefined: the server is not behind this service. */
  readonly whyNot: (approval: Approval) => string | null | undefined
  /** Connects to the server; null: it is not behind this service. */
  readonly prepare: (approval: Approval) => Promise<ReadyRun | null>
}
export type ReadyRun =
  | { readonly ok: true; readonly run: Run; readonly listed: NonNullable<Call["listed"]> }
  | { readonly ok: false; readonly why: string }

export type ServerOptions = {
  readonly gate: CallerGate &
    ReviewerGate &
    Pick<GateUpkeep, "takeOver" | "endRevokedSessions" | "knowsProgram" | "seeProgram"> &
    Pick<RunGate, "run" | "runSummary" | "runs" | "conveyAnswer">
  readonly store: Store
  readonly credentials: Credentials
  /** Whose the names of servers are, where the service uses names itself; absent: programs alone do. */
  readonly owners?: ServerOwners
  readonly now: () => EpochMs
  readonly newId: () => string
  readonly hasher: Hasher
  readonly signer: Signer
  readonly redactor: Redactor
  readonly version: string
  /** The demo of `npm start`; absent: a service of somebody's own. */
  readonly isDemo?: boolean
  /** The rules in effect. */
  readonly policy: () => Policy
  readonly policyPorts?: PolicyPorts
  /** Absent: there is no text that people could edit. */
  readonly configText?: ConfigText
  /** Absent: agents of this machine cannot be set up from here. */
  readonly agentSetup?: AgentSetup
  /** Absent: rules of other programs are not known. */
  readonly ruleLanguages?: RuleLanguages
  readonly validator?: SchemaValidator
  readonly servers: () => readonly ServerFacts[]
  /** Whether one of them has this name; asked with every call of a program. Absent: they are looked through. */
  readonly isServed?: (server: string) => boolean
  /** False: there is no such server. */
  readonly restartServer: (id: string) => Promise<boolean>
  /** Nothing connects to it until it is started. */
  readonly stopServer: (id: string) => Promise<boolean>
  readonly startServer: (id: string) => Promise<boolean>
  /** Makes a call through the gate, for the principal it names, and gives up after that long; null: the server is not behind this service. */
  readonly callTool?: (call: Call, withinMs: number) => Promise<ToolReply | null>
  /** Runs approved calls without the clients that asked for them; absent: nothing runs from here. */
  readonly runs?: RunsWithoutClient
  /** Carries agent runs out; absent: none can be started here. */
  readonly agentRuns?: AgentRuns
  /** The known facts about sessions besides modes and grants; absent: none. */
  readonly sessionFacts?: SessionFacts
  /** Whether a client of this session has a stream open here; absent: that is not known. */
  readonly isListening?: (session: Pick<Session, "principal" | "id">) => boolean
  /** Names this service answers to, with ports, and origins a browser may send. */
  readonly hosts: () => ReadonlySet<string>
  readonly origins: () => ReadonlySet<string>
  /** Origins that are surely this service: proofs and challenges hold for these alone. */
  readonly addresses: () => ReadonlySet<string>
  /** Where the page is, such as `http://127.0.0.1:7337`. */
  readonly address: () => string
  /** The data folder's proof for a challenge, good for one address. Asked only for addresses of this service. */
  readonly proveService: (challenge: string, address: string) => string
  /** Numbers of the gateway and the process. */
  readonly measures?: () => readonly Measure[]
  /** Whether an answer given in the client before a wrap counts; absent: it does not. */
  readonly decidesInClient?: () => boolean
  readonly keepAliveMs?: number
  /** How long a wrap's session outlives its connection, 5 s, and how long the wraps of a service that died have to come back, 15 s. */
  readonly attendanceMs?: { readonly graceMs: number; readonly returnMs: number }
  /** The most bytes that an embedding program may send at once; 8 MiB unless set. */
  readonly gateBodyBytes?: number
  /** Counts what programs are sending, where others count in it as well. */
  readonly bodies?: BodyBudget
  /** Counts what was answered and nobody has read, where others count in it as well. */
  readonly unread?: UnreadBudget
  /** How others get a turn while much is looked through; absent: as the platform does it. */
  readonly turns?: Partial<StartTurns>
  /** Does work for the bearer of a credential, or for a reviewer: whoever makes the store read much takes turns with others. */
  readonly asReader?: <Result>(reader: string, work: () => Result) => Result
  /** Told of defects; a request that meets one gets a 500 that says nothing of it. */
  readonly onTrouble?: (trouble: unknown) => void
}
