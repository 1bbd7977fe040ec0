import type {
  ApprovalSummaryView,
  ApprovalView,
  CurrentContentView,
  PinView,
  ServerView,
  SessionView,
} from "@byleave/api"
import { fileChanges, shownArguments, shownText } from "@byleave/api/page"
import { type ReactNode, useId, useMemo } from "react"
import { riskedLines } from "../diff/risk-places.ts"
import { answersOffered } from "../verdict/answers/answers-offered.ts"
import { type Me, whyNotYou } from "../verdict/answers/why-not-you.ts"
import type { LoadPreview } from "../verdict/edit/edit-previewer.ts"
import { textInPlace } from "../verdict/edit/text-in-place.ts"
import { useArgumentEdit } from "../verdict/edit/use-argument-edit.ts"
import { useEditPreview } from "../verdict/edit/use-edit-preview.ts"
import type { CardActions, LoadCalls, LoadCheck, VerdictState } from "../verdict/verdict.ts"
import { VerdictBar, type VerdictBarProps } from "../verdict/verdict-bar.tsx"
import { argTree, extraTree } from "./arguments/arg-tree.ts"
import { Arguments } from "./arguments/arguments.tsx"
import { ExtraParams } from "./arguments/extra-params.tsx"
import { FoldsContext, useFolds } from "./arguments/folds.ts"
import { useSecrets } from "./arguments/secrets.ts"
import { blockedBy } from "./blocked-by.ts"
import { CardFrame } from "./card-frame.tsx"
import { Compared, NearMiss } from "./changes/compared.tsx"
import { FileChanges } from "./changes/file-changes.tsx"
import { policyChangeIn } from "./changes/policy-change.ts"
import { PolicyChangeView } from "./changes/policy-change-view.tsx"
import { CardHead } from "./head/card-head.tsx"
import { DefinitionToAccept } from "./head/definition.tsx"
import { KindWords } from "./head/kind-words.tsx"
import { ServerTrust } from "./head/server-trust.tsx"
import { ToolWords } from "./head/tool-words.tsx"
import { WhoAsks } from "./head/who-asks.tsx"
import { Outcome } from "./outcome/outcome.tsx"
import { Risks } from "./risks/risks.tsx"

export type ApprovalCardProps = {
  readonly approval: ApprovalView
  /** Null where it is not known; then less is said and less is offered. */
  readonly server: ServerView | null
  readonly session: SessionView | null
  readonly pin: PinView | null
  /** The content of the file that the call would change, as it is or was while the call waited; null where there is none or it is not known. */
  readonly current: CurrentContentView | null
  /** Why `current` is not of now: it was read before, and could not be read again. */
  readonly notAgain?: string | null
  /** The other calls that wait, of any session. */
  readonly alsoWaiting: readonly ApprovalSummaryView[]
  /** Absent: nothing else is answered along. */
  readonly loadCalls?: LoadCalls
  readonly verdict: VerdictState
  readonly actions: CardActions
  /** It has only just appeared: keys are not meant for it yet. */
  readonly isFresh: boolean
  readonly loadCheck?: LoadCheck
  /** Tells what edited arguments would do. Absent: nothing can be edited here. */
  readonly loadPreview?: LoadPreview
  /** False where another card on the page has the keys. */
  readonly hasKeys?: boolean
  /** Also offers to allow the whole server for this thread; for a place that ends that when the thread is left. */
  readonly offersAutoApprove?: boolean
  /** Who looks at it, where that is known: some calls are not theirs to allow. */
  readonly me?: Me | null
}

/** Everything needed to decide on one call, or to see what became of it. Asks nobody, shows all, decides nothing. */
export function ApprovalCard(props: ApprovalCardProps): ReactNode {
  const { approval } = props
  const shown = useMemo(() => shownText(approval), [approval])
  // Revealed and unfolded values belong to these arguments and no others, whatever digest they come with.
  return <Card key={shown} shown={shown} {...props} />
}

function Card(props: ApprovalCardProps & { readonly shown: string }): ReactNode {
  const { approval, server, session, pin, current, actions, shown } = props
  const headingId = useId()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text holds the arguments; a new reading of the same ones changes nothing
  const asked = useMemo(() => shownArguments(approval), [shown])
  // Whatever is shown belongs to what would run: while somebody edits, to what stands in the fields.
  const editing = useEditPreview(props.loadPreview)
  const edit = useArgumentEdit(approval, props.verdict, props.loadCheck)
  const draft = editing?.draft ?? null
  const args = draft?.args ?? asked
  const risks = draft === null ? approval.risks : draft.state === "checked" ? draft.preview.risks : noRisks
  const tree = useMemo(() => (args === null ? [] : argTree(args, risks)), [args, risks])
  const changes = useMemo(
    () => (args === null ? [] : fileChanges(approval.tool.tool, args, approval.definition?.inputSchema ?? null)),
    [args, approval.tool.tool, approval.definition],
  )
  const elsewhere = useMemo(() => new Set(changes.flatMap(({ pointers }) => pointers)), [changes])
  const risked = useMemo(() => riskedLines(tree, risks, elsewhere), [tree, risks, elsewhere])
  // biome-ignore lint/correctness/useExhaustiveDependencies: they never change while a call is held
  const extra = useMemo(() => extraTree(approval), [shown])
  const secrets = useSecrets(useMemo(() => [...tree, ...extra], [tree, extra]))
  const { folds, closed, openAll, openWords } = useFolds()
  const policyChange = policyChangeIn(approval)
  const isPending = approval.status === "pending"
  const blocked = whyNotYou(approval, props.me ?? null) ?? blockedBy(secrets.hidden)
  const canEdit = isPending && editing !== null && answersOffered(approval).canEdit
  const isAnswered = props.verdict.state === "sending" || props.verdict.state === "unsent"
  return (
    <CardFrame
      approval={approval}
      actions={actions}
      labelledBy={headingId}
      foot={
        <Verdict
          {...props}
          blocked={blocked}
          folded={closed > 0 ? { words: openWords, onOpen: openAll } : null}
          editing={editing}
          edit={edit}
        />
      }
    >
      <CardHead approval={approval} session={session} changes={changes} isOwn={policyChange !== null} id={headingId} />
      <Outcome approval={approval} actions={actions} unseen={blockedBy(secrets.hidden, "run it")} />
      {isPending && <DefinitionToAccept approval={approval} pin={pin} actions={actions} />}
      {isPending && <Risks risks={risks} risked={risked} onShowAll={openAll} />}
      <Compared approval={approval} secrets={secrets} />
      <FoldsContext value={folds}>
        {policyChange !== null && <PolicyChangeView change={policyChange} current={isPending ? current : null} />}
        {approval.kind !== "tool" && <KindWords kind={approval.kind} />}
        <FileChanges
          changes={changes}
          current={draft === null ? current : draft.state === "checked" ? draft.preview.current : null}
          notAgain={draft === null ? (props.notAgain ?? null) : null}
          notYet={draft === null || draft.state === "checked" ? null : draft.state}
          secrets={secrets}
          isPending={isPending}
          risked={risked}
          inPlace={canEdit ? textInPlace(edit, changes, isAnswered || (blocked !== null && !edit.isOpen)) : null}
        />
        <NearMiss approval={approval} secrets={secrets} />
        <Arguments args={args} tree={tree} secrets={secrets} elsewhere={elsewhere} />
        <ExtraParams tree={extra} dropped={approval.droppedParams ?? []} secrets={secrets} />
      </FoldsContext>
      {policyChange === null && approval.kind === "tool" && <ToolWords approval={approval} />}
      <WhoAsks approval={approval} session={session} onFollow={actions.onFollow} />
      {policyChange === null && <ServerTrust approval={approval} server={server} pin={pin} />}
    </CardFrame>
  )
}

const noRisks: ApprovalView["risks"] = []

function Verdict({
  approval,
  server,
  alsoWaiting,
  loadCalls,
  verdict,
  actions,
  isFresh,
  blocked,
  hasKeys,
  offersAutoApprove,
  folded,
  editing,
  edit,
}: ApprovalCardProps & Pick<VerdictBarProps, "blocked" | "folded" | "editing" | "edit">): ReactNode {
  return (
    <VerdictBar
      approval={approval}
      server={server}
      alsoWaiting={alsoWaiting}
      verdict={verdict}
      actions={actions}
      isFresh={isFresh}
      blocked={blocked}
      folded={folded}
      editing={editing}
      edit={edit}
      {...(loadCalls === undefined ? {} : { loadCalls })}
      {...(hasKeys === undefined ? {} : { hasKeys })}
      {...(offersAutoApprove === undefined ? {} : { offersAutoApprove })}
    />
  )
}
