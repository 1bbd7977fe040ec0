import type { ApprovalView, CurrentContentView, ProblemCode, UnboundVerdict, UndoView } from "@byleave/api"
import type { JsonObject } from "@byleave/core"

/** A person's answer to one call. Its sender binds it to the call as it was shown. */
export type GivenVerdict = UnboundVerdict

/** How a verdict fares: nobody gave one, it can be taken back, it is on its way, or it was refused and why. */
export type VerdictState =
  | { readonly state: "none" }
  /** Given, and not sent before `until`. */
  | { readonly state: "unsent"; readonly kind: GivenVerdict["kind"]; readonly until: number }
  | { readonly state: "sending"; readonly kind: GivenVerdict["kind"] }
  | {
      readonly state: "refused"
      readonly why: string
      /** No answer came: it may have counted all the same. */
      readonly isUnknown?: true
      /** The service's code for it, where the service has refused it. */
      readonly code?: ProblemCode
      /** The problems in the arguments, place by place. */
      readonly problems?: readonly string[]
    }

/** The call that puts a file back, and the file's present content. */
export type ReadyUndo = Extract<UndoView, { readonly kind: "ready" }>

/** The functions that a page gives to a card; the card itself asks nobody. */
export type CardActions = {
  /** Sends it, bound to this very approval. The card shows it as sent until the approval itself changes. */
  readonly onVerdict: (approval: ApprovalView, verdict: GivenVerdict) => void
  /** Takes back a verdict that is not sent yet. */
  readonly onTakeBack: (approval: ApprovalView) => void
  readonly onExtend: (approval: ApprovalView, until: number | null) => void
  /** Takes back an approval that the agent has not used. */
  readonly onRevoke: (approval: ApprovalView) => void
  /** Has an approved call run for an agent that is away. */
  readonly onRunNow: (approval: ApprovalView) => void
  readonly onRerun: (approval: ApprovalView) => void
  /** Asks what putting the file back would do that a call has changed. */
  readonly loadUndo: (approval: ApprovalView) => Promise<UndoView>
  /** Puts it back as it was shown; false: it was not done, and why is told elsewhere. */
  readonly onPutBack: (approval: ApprovalView, undo: ReadyUndo) => Promise<boolean>
  /** Accepts the definition the card shows. */
  readonly onAccept: (approval: ApprovalView) => void
  /** Whether arguments stand changed in it that nobody has sent: leaving it would lose them. */
  readonly onEdited?: (isEdited: boolean) => void
  /** Goes to another page of the place that shows the card; absent where there are none to go to. */
  readonly onFollow?: (href: string) => void
  /** The action under way: its button says so and cannot be pressed again. */
  readonly busyWith?: "extend" | "revoke" | "run-now" | "rerun" | "accept" | null
}

/** Judges arguments by a tool's schema: a sentence per problem, `#/path: …` where it is about one argument. */
export type CheckArguments = (schema: JsonObject, args: JsonObject) => readonly string[]

/** Reads calls whole, by their ids; those that are gone are left out. */
export type LoadCalls = (ids: readonly string[]) => Promise<readonly ApprovalView[]>

/** Reads what the file that a waiting call would change holds now. */
export type LoadCurrent = (id: string) => Promise<CurrentContentView | null>

/** Fetched when somebody begins to edit. Absent or late, the service alone judges, as it does in any case. */
export type LoadCheck = () => Promise<CheckArguments>
