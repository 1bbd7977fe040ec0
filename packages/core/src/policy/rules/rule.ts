import type { PinDepth } from "../../call/definition/tool-definition.ts"
import type { JsonValue } from "../../call/json/json.ts"

export type Effect = "hide" | "deny" | "ask" | "allow"
export type Access = "read" | "write"
export type AccessBreadth = Access | "all"
export type Mode = "ask" | "autonomous" | PartialAutonomy | "unattended" | "observe"

/** Autonomous for some of the reasons to ask alone. */
type PartialAutonomy =
  | `autonomous-${"tools" | "paths" | "urls"}`
  | "autonomous-tools-paths"
  | "autonomous-tools-urls"
  | "autonomous-paths-urls"

/** The kinds of things a rule can be about. Without a rule, everything but a tool passes. */
export type TargetKind = "tool" | "resource" | "prompt" | "sampling" | "elicitation" | "roots" | "method"

/** `server(tool)` as data; both are globs. `server` alone is a pattern whose `whole` is true: all of that server. */
export type TargetPattern = {
  readonly server: string
  readonly kind: TargetKind
  readonly name: string
  readonly whole: boolean
}

/** A test of one argument, named by a dotted key. All conditions of a rule must hold. */
export type Condition = { readonly key: string } & (
  | { readonly op: "equals"; readonly value: JsonValue }
  | { readonly op: "oneOf"; readonly values: readonly JsonValue[] }
  | { readonly op: "glob"; readonly pattern: string }
  | { readonly op: "under"; readonly folder: string }
  /** In one of these folders, and in no folder below it. */
  | { readonly op: "directlyIn"; readonly folders: readonly string[] }
  /** This file or folder itself, however its path is written. */
  | { readonly op: "file"; readonly path: string }
  | { readonly op: "host"; readonly patterns: readonly string[] }
  | { readonly op: "atMost"; readonly value: number }
  | { readonly op: "atLeast"; readonly value: number }
  /** Whether anything in it looks like a secret, or leads to one. The key `*` means all arguments. */
  | { readonly op: "sensitive"; readonly value: boolean }
  /** It has no other members than these, named by dotted keys. The key `*` means all arguments. */
  | { readonly op: "only"; readonly names: readonly string[] }
)

/** Where a rule was written, for people. */
export type RuleOrigin = {
  readonly where: string
  readonly line?: number
  readonly column?: number
  /** The template that it comes from, as the configuration names it; absent: it is written in the configuration itself. */
  readonly template?: string
}

type Matching = {
  /** Stable within one policy, e.g. `rules[3]`. */
  readonly id: string
  readonly target: TargetPattern
  readonly access?: AccessBreadth
  /** Glob on the principal's id. */
  readonly principal?: string
  readonly reason?: string
  readonly origin: RuleOrigin
}

/** `hide` takes no conditions: a listing cannot depend on arguments nobody has sent yet. */
export type Rule = Matching &
  (
    | { readonly effect: "hide" }
    | { readonly effect: "deny"; readonly when?: readonly Condition[] }
    | {
        readonly effect: "ask"
        readonly when?: readonly Condition[]
        readonly remember?: "never"
        /** How many different reviewers must approve; 1 unless set. */
        readonly approvals?: number
        /** Only members of one of these groups may approve. */
        readonly reviewers?: readonly string[]
        /** How long such a call may wait; the policy's `wait` unless set; null is for ever. */
        readonly wait?: number | null
      }
    | { readonly effect: "allow"; readonly when?: readonly Condition[] }
  )

export type ClassifyRule = { readonly access: Access; readonly target: TargetPattern; readonly origin: RuleOrigin }

/** The settings that people write for a server, besides rules. */
export type ServerSettings = {
  readonly id: string
  /** Annotations and tool names are believed for access only on servers configured so. */
  readonly trust: "none" | "annotations"
  readonly pin: PinDepth
  /** Whether agents are told of tools that appeared after the server was pinned; absent: `hold`, not before a reviewer accepts them. */
  readonly newTools?: NewTools
  /** Globs of the tools offered at all; every other one is hidden. */
  readonly offer?: readonly string[]
}

/** Where a server works, as told by how it is started or reached. Empty: nobody knows, and no relative path can be judged. */
export type WorkingFolders = {
  /** The folder it is started in, where the file says so. Absolute, normalised. */
  readonly cwd?: string
  /** The folders among its arguments. Absolute, normalised; absent: none. */
  readonly folders?: readonly string[]
  /** What else among its arguments may be a folder that a relative path starts from; absolute, or `unknownStart`. What is in them is judged as anywhere else. */
  readonly starts?: readonly string[]
  /** It runs on another machine: no path in its calls leads to a file of this one. */
  readonly isRemote?: boolean
}

/** Everything that decisions take from a server, besides rules. */
export type ServerPolicy = ServerSettings & WorkingFolders

export type NewTools = "hold" | "offer"

/** Limits within a time are counted per principal, over all its sessions: an agent opens a new session whenever it likes. */
export type Limits = {
  readonly autoAllowedPerSession?: number
  /** Within 24 hours, all sessions of a principal together; absent: as many as `autoAllowedPerSession`. */
  readonly autoAllowedPerDay?: number
  readonly autoAllowedPerMinute?: number
  /** After a call that a rule of this kind matches runs, everything of that principal asks for a while. */
  readonly coolDown?: { readonly after: readonly TargetPattern[]; readonly forMs: number }
  /** More than `writes` allowed writes within `withinMs` asks again. */
  readonly bulk?: { readonly writes: number; readonly withinMs: number }
  /** Waiting calls per session; one more is refused. */
  readonly waitingPerSession: number
  /** Waiting calls of all sessions of a principal; one more is refused. */
  readonly waitingPerPrincipal: number
  /** Waiting calls of all principals together; one more is refused. */
  readonly waitingInAll: number
  /** Bytes of the arguments of waiting calls, per principal and in all; calls beyond are refused. */
  readonly heldBytesPerPrincipal: number
  readonly heldBytesInAll: number
  /** This many denials of a tool to one principal within the time refuse it in all its sessions until a person lifts it. */
  readonly denials: { readonly count: number; readonly withinMs: number }
}

export type Policy = {
  /** `group/reviewer`: who is in a group besides those whose own record says so. Absent: not known, and a vote keeps the groups it was given with. */
  readonly members?: readonly string[]
  /** Names these rules in decisions and records; a digest of what was loaded. */
  readonly version: string
  readonly default: "ask" | "deny" | "allow"
  readonly rules: readonly Rule[]
  readonly classify: readonly ClassifyRule[]
  readonly servers: readonly ServerPolicy[]
  readonly limits: Limits
  /** Modes nobody may set. */
  readonly forbiddenModes: readonly Mode[]
  /** In `observe`, explicit asks run as well. */
  readonly observeAll: boolean
  /** Nobody is there to answer: what would be asked is refused in every session. Absent: somebody is. */
  readonly unattended?: boolean
  /** A token's owner may approve calls under that token. */
  readonly selfApproval: boolean
  /** Methods beyond MCP's own that may be judged at all, `server(method)`; every other one is refused as unknown. */
  readonly methods: readonly TargetPattern[]
  /** The treatment of params that MCP does not know: the request is refused, or goes on without them. */
  readonly unknownParams: "refuse" | "drop"
  /** How long a call of an agent waits for a person; null is for ever. */
  readonly wait: number | null
  /** How long calls of Byleave's own agents wait; absent: `defaultWaits`. */
  readonly waits?: Waits
}

/** A policy as people write, accept and compare it. Where servers work goes with how each is started, and is accepted with that. */
export type PolicyWithoutFolders = Omit<Policy, "servers"> & {
  readonly servers: ReadonlyArray<ServerSettings & { readonly [field in keyof WorkingFolders]?: never }>
}

/** How long a call waits for a person: in a conversation, and in a run nobody sits at. Null is for ever. */
export type Waits = { readonly chat: number | null; readonly run: number | null }

export const defaultWaits: Waits = { chat: 5 * 60_000, run: null }

export function waitsOf({ waits = defaultWaits }: Pick<Policy, "waits">): Waits {
  return waits
}

export const defaultLimits: Limits = {
  waitingPerSession: 50,
  waitingPerPrincipal: 500,
  waitingInAll: 10_000,
  heldBytesPerPrincipal: 32_000_000,
  heldBytesInAll: 256_000_000,
  denials: { count: 3, withinMs: 10 * 60_000 },
}

/** The policy in force when nobody has written one: everything asks. */
export const emptyPolicy: PolicyWithoutFolders = {
  version: "empty",
  default: "ask",
  rules: [],
  classify: [],
  servers: [],
  limits: defaultLimits,
  forbiddenModes: [],
  observeAll: false,
  selfApproval: false,
  methods: [],
  unknownParams: "refuse",
  wait: 8 * 60 * 60_000,
}
