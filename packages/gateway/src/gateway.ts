import type { ChildProcessWithoutNullStreams } from "node:child_process"
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import type {
  Approval,
  BodyBudget,
  Call,
  CallerGate,
  JudgingTurns,
  Principal,
  Session,
  UnreadBudget,
} from "@byleave/core"
import type { OpenRequestLimits } from "./downstream/open-requests.ts"
import type { FastPath } from "./fast-path/attach-fast-path.ts"
import type { WordLimit } from "./relay/still-allowed.ts"
import type { PreparedRun } from "./relay/tools/prepare-run.ts"
import type { ToolListLimits } from "./relay/tools/read-tools.ts"
import type { RunToolListing } from "./relay/tools/tools-for-run.ts"
import type { Health } from "./upstream/link.ts"
import type { Reply } from "./wire/message.ts"
import type { ConversationRecords, HeldRequests, Sealer, TaskRecords } from "./wire/ports.ts"

/** How a server is reached. The composition has read the configuration; nothing here expands or inherits anything. */
export type UpstreamTransport =
  | {
      readonly kind: "stdio"
      readonly command: string
      readonly args: readonly string[]
      /** The child's whole environment. */
      readonly env: ReadonlyMap<string, string>
      readonly cwd: string
      /** A process the composition has started for this server already; the first to ask gets it, the others get null. */
      readonly started?: () => ChildProcessWithoutNullStreams | null
      /** Told the id of each process that is started here, the leader of a group of its own. */
      readonly onStarted?: (pid: number | undefined) => void
    }
  | { readonly kind: "http" | "sse"; readonly url: string; readonly headers: ReadonlyMap<string, string> }

export type GatewayServer = {
  readonly id: string
  readonly transport: UpstreamTransport
  readonly timeoutMs?: number
  readonly refreshConnection?: boolean
  /** How much of its tool list is read; what is not set has a default. */
  readonly toolList?: Partial<ToolListLimits>
}

/** The owner of a credential. */
export type Identity = {
  readonly principal: Principal
  /** May name sessions by header or `_meta`. */
  readonly namesSessions: boolean
}

export type GatewayTimes = {
  /** One leg of a modern hold; 50 s. */
  readonly legMs: number
  /** Legs before a ticket; 8, so that the ninth is one. */
  readonly legs: number
  /** How long an unknown legacy client is held; 50 s. */
  readonly budgetMs: number
  readonly keepAliveMs: number
  /** A modern exchange that waits for its client's answer is given up after this; 10 min. */
  readonly parkedMs: number
  /** A connection made for what clients declare ends when they have asked and listened to nothing for this long; 3 min. */
  readonly ownConnectionMs: number
  /** A legacy conversation in which nothing goes on leaves memory after this, and comes back by its record; 1 h. */
  readonly idleConversationMs: number
  /** The connection of all who declare nothing and speak the newest legacy revision ends when nobody has used it for this long; 24 h. */
  readonly sharedConnectionMs: number
}

export type GatewayOptions = {
  readonly gate: CallerGate
  readonly servers: readonly GatewayServer[]
  readonly sealer: Sealer
  readonly conversations: ConversationRecords
  /** Absent: no other process serves the same conversations. */
  readonly heldRequests?: HeldRequests
  readonly tasks: TaskRecords
  readonly now: () => number
  readonly newId: () => string
  /** The sender of a request with these headers. Null: no one who may call here (401); undefined fields never widen. */
  readonly identify: (headers: Readonly<IncomingHttpHeaders>) => Identity | null | Promise<Identity | null>
  /** Names of hosts this gateway answers to, with ports, such as `127.0.0.1:7337`; and origins a browser may send. */
  readonly hosts: () => ReadonlySet<string>
  readonly origins: () => ReadonlySet<string>
  /** Where people decide; put into tickets. */
  readonly inbox: () => string
  readonly decideInClient?: boolean
  /** Where the gate is elsewhere, or others change what it rests on: how long its word to run a call counts. */
  readonly word?: WordLimit
  /** Asked with each request; they are refused where it is absent. */
  readonly unknownParams?: () => "refuse" | "drop"
  /** Whether a rule hides, denies or asks about resources of this server; where it is absent, one may. */
  readonly rulesResources?: (server: string) => boolean
  readonly maxBodyBytes?: number
  /** How many requests may be open at once over HTTP; asked with each. */
  readonly openRequests?: () => Partial<OpenRequestLimits>
  /** Counts the bodies of open requests over HTTP, where others count in it as well. */
  readonly bodies?: BodyBudget
  /** Counts replies that nobody has read, where others count in it as well. */
  readonly unread?: UnreadBudget
  /** The turns in which the gate judges: requests over HTTP of an agent whose calls take long to judge wait for theirs. */
  readonly judging?: JudgingTurns
  /** Does the work of a request over HTTP for its sender: those for whom much is read take turns. */
  readonly asReader?: <Result>(principal: string, work: () => Result) => Result
  /** False: node:http reads and sends every request, also the usual ones of this machine. */
  readonly fastPath?: boolean
  readonly times?: Partial<GatewayTimes>
  /** Told of who calls, as they name themselves; at first sight, and seldom more. */
  readonly onCaller?: (seen: SeenCaller) => void
  /** One line for the log; never holds a secret or an argument. */
  readonly log?: (line: string) => void
  /** Takes configured secrets out of what a server's program says on its way out: agents are told of it. */
  readonly redact?: (text: string) => string
}

/** A client in its own words: name and version, or the folder it says it works in. Null: nothing was said of that now. */
export type SeenCaller = {
  readonly session: Session
  readonly client: string | null
  readonly folder: string | null
}

export type Gateway = {
  /** Answers `/mcp` and `/mcp/<server>`; false when the path is not the gateway's. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Lets usual requests of this machine take the fast path, unless it is switched off; not for TLS. */
  readonly attachFastPath: (server: Server) => FastPath
  /** One client on a pair of streams, in front of one server. Resolves when the client is gone. */
  readonly serveStdio: (
    streams: StdioStreams,
    server: string,
    identity: Identity & { readonly session: string },
  ) => Promise<void>
  readonly serves: (server: string) => boolean
  readonly servers: () => ReadonlyArray<{
    readonly id: string
    readonly transport: UpstreamTransport
    readonly health: Health
    /** By a person, until it is started. */
    readonly stopped: boolean
    readonly tools: readonly string[]
    /** The omissions from a tool list that is too long, in words for people; null: none. */
    readonly toolsCut: string | null
  }>
  /** False, here and below: there is no such server. */
  readonly restart: (server: string) => Promise<boolean>
  /** Ends its connections and refuses requests to it, until it is started or restarted. */
  readonly stop: (server: string) => Promise<boolean>
  /** Connects to it and lists its tools; failures are reported in its health. */
  readonly start: (server: string) => Promise<boolean>
  /** Connects to every server once and lists its tools; per server, what went wrong or null. */
  readonly discover: () => Promise<ReadonlyMap<string, string | null>>
  /** Makes a call of Byleave's own through the gate, withdrawn after that long; null: there is no such server. */
  readonly call: (call: Call, withinMs: number) => Promise<Reply | null>
  /** Why an approved call cannot run without its client, as far as is known now; null: it can. Undefined: there is no such server. */
  readonly whyNotRun: (approval: Approval) => string | null | undefined
  /** Makes an approved call ready to run without its client; null: there is no such server. */
  readonly prepareRun: (approval: Approval) => Promise<PreparedRun | null>
  /**
   * The tools that an agent run of Byleave's own may offer its model; a name that no server has is reported as unreachable, and so is a server that takes
   * long, unless it is needed.
   */
  readonly toolsForRun: (
    servers: readonly string[],
    who: Pick<Call, "principal" | "session">,
    needed?: readonly string[],
  ) => Promise<RunToolListing>
  /** How often what calls of this session may do has changed so far. */
  readonly changes: (session: Session) => number
  /** Makes a run's call ready that the gate lets run. `changes`: as they were before it was judged. Null: there is no such server. */
  readonly prepareRunCall: (id: string, call: Call, changes: number) => Promise<PreparedRun | null>
  /** The servers changed, for all that comes once this returns; resolves when connections of servers that are gone or started otherwise have ended. */
  readonly replaceServers: (servers: readonly GatewayServer[]) => Promise<void>
  /** Whether a client of this session has a stream open here. Without one it may be there, too. */
  readonly isListening: (session: Pick<Session, "principal" | "id">) => boolean
  /** Ends what agents of this principal, whose credential was revoked, began before `until`: requests, streams and conversations. */
  readonly endRevoked: (principal: string, until: number) => Promise<void>
  readonly counts: () => { readonly conversations: number; readonly open: number; readonly links: number }
  /** Takes nothing new, lets what runs end for a while, 5 seconds unless said, then ends connections and children. */
  readonly close: (withinMs?: number) => Promise<void>
}

export type StdioStreams = {
  readonly input: Duplex | NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  /** Told as soon as the client is gone, before what still runs has ended. */
  readonly onEnd?: () => void
}
