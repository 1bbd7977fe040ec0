import type { CurrentContentView, FileChange } from "@byleave/api"
import { type ReactNode, useMemo, useRef } from "react"
import { DiffContext, type LineComments, noRisked } from "../../diff/diff-context.ts"
import { DiffTools } from "../../diff/diff-tools.tsx"
import type { RiskedLines } from "../../diff/risk-places.ts"
import { useSideBySide } from "../../diff/side-by-side.ts"
import { useChangeSteps } from "../../diff/use-change-steps.ts"
import type { TextInPlace } from "../../verdict/edit/text-in-place.ts"
import type { ArgNode } from "../arguments/arg-tree.ts"
import { useSteps } from "../arguments/folds.ts"
import type { Secrets } from "../arguments/secrets.ts"
import { LongText, Masked, MoreSteps, Sentence } from "../arguments/shown-value.tsx"
import { InPlaceBox, InPlaceButtons } from "../edit-in-place.tsx"
import { Section } from "../section.tsx"
import { type AsOf, Compared } from "./against-file.tsx"
import look from "./file-changes.module.css"

export type FileChangesProps = {
  readonly changes: readonly FileChange[]
  /** The file's content, now or while the call waited, where it could be read. */
  readonly current: CurrentContentView | null
  /** Why `current` is not of now: it was read before, and could not be read again. */
  readonly notAgain: string | null
  /** Of edited arguments: that it is not known yet what they would change; null: it is. */
  readonly notYet?: "checking" | "failed" | null
  readonly secrets: Secrets
  /** Else it is history: what was to change. */
  readonly isPending: boolean
  /** False where several calls are shown together, each under its own name. */
  readonly hasHeading?: boolean
  /** False where the file is named above. */
  readonly hasPaths?: boolean
  /** Lines that warnings are about. */
  readonly risked?: RiskedLines
  /** Of each file, where its lines can be commented on. */
  readonly commentsOf?: (change: FileChange) => LineComments
  /** Where the new text can be edited in the place of its difference. */
  readonly inPlace?: TextInPlace | null
}

/** The changes that a call would make to files. */
export function FileChanges({ hasHeading = true, ...props }: FileChangesProps): ReactNode {
  if (props.changes.length === 0) return null
  if (!hasHeading) return <AllChanges {...props} />
  return <OwnSection {...props} />
}

function OwnSection(props: Omit<FileChangesProps, "hasHeading">): ReactNode {
  const place = useRef<HTMLDivElement>(null)
  const steps = useChangeSteps(place, true)
  const [isSideBySide] = useSideBySide()
  return (
    <Section title={props.isPending ? "Changes" : "Proposed changes"} aside={<DiffTools steps={steps} />}>
      <div ref={place} className={look.changes} data-wide-diff={isSideBySide}>
        <AllChanges {...props} />
      </div>
    </Section>
  )
}

function AllChanges({
  changes,
  current,
  notAgain,
  notYet = null,
  secrets,
  isPending,
  risked,
  commentsOf,
  hasPaths = true,
  inPlace = null,
}: Omit<FileChangesProps, "hasHeading">): ReactNode {
  const steps = useSteps(changes.length, filesAtFirst, filesAtOnce, { linesOfEach: linesOfFile })
  if (notYet !== null && inPlace === null) return <NotYet why={notYet} />
  const asOf = !isPending ? "past" : notAgain === null ? "now" : "before"
  return (
    <>
      {asOf === "before" && notAgain !== null && (
        <p className={look.warning}>
          The file could not be reread; the earlier version is shown: <Sentence text={notAgain} />
        </p>
      )}
      {changes.slice(0, steps.shown).map((change) => (
        <Change
          key={change.pointers.join()}
          change={change}
          current={currentFor(change, changes, current)}
          secrets={secrets}
          asOf={asOf}
          hasPath={hasPaths}
          risked={risked ?? noRisked}
          comments={commentsOf?.(change) ?? null}
          notYet={notYet}
          inPlace={inPlace}
        />
      ))}
      <MoreSteps steps={steps} one="file" />
    </>
  )
}

const filesAtFirst = 20
const filesAtOnce = 100
const linesOfFile = 20

function NotYet({ why }: { readonly why: "checking" | "failed" }): ReactNode {
  return (
    <p className={why === "failed" ? look.warning : "aside"}>
      {why === "failed" ? "The effect of your edit is unknown." : "Checking the effect of your edit…"}
    </p>
  )
}

function currentFor(
  change: FileChange,
  changes: readonly FileChange[],
  current: CurrentContentView | null,
): CurrentContentView | null {
  if (current === null || current.kind === "configuration") return null
  if (current.kind === "unavailable" || changes.length === 1) return current
  return current.path === change.path ? current : null
}

type ChangeProps = {
  readonly change: FileChange
  readonly current: CurrentContentView | null
  readonly secrets: Secrets
  readonly asOf: AsOf
}

function Change({
  change,
  current,
  secrets,
  asOf,
  hasPath,
  risked,
  comments,
  notYet,
  inPlace,
}: ChangeProps & {
  readonly hasPath: boolean
  readonly risked: RiskedLines
  readonly comments: LineComments | null
} & Required<Pick<FileChangesProps, "notYet" | "inPlace">>): ReactNode {
  const surroundings = useMemo(() => ({ path: change.path, risked, comments }), [change.path, risked, comments])
  const hidden = secrets.all.filter(({ pointer }) => change.pointers.includes(pointer) && secrets.hidden.has(pointer))
  return (
    <div className={look.change}>
      {hasPath && change.path !== null && (
        <div className={look.path}>
          <p>
            <LongText text={change.path} name="path" />
          </p>
          {inPlace !== null && <InPlaceButtons inPlace={inPlace} />}
        </div>
      )}
      {inPlace?.isOpen === true ? (
        <InPlaceBox inPlace={inPlace} />
      ) : notYet !== null ? (
        <NotYet why={notYet} />
      ) : hidden.length > 0 ? (
        <HiddenTexts nodes={hidden} secrets={secrets} />
      ) : (
        <DiffContext value={surroundings}>
          <Compared change={change} current={current} asOf={asOf} />
        </DiffContext>
      )}
    </div>
  )
}

function HiddenTexts({ nodes, secrets }: { readonly nodes: readonly ArgNode[]; readonly secrets: Secrets }): ReactNode {
  const length = nodes.reduce((sum, { value }) => sum + String(value).length, 0)
  return (
    <p className="aside">
      The text appears to contain a secret.{" "}
      <Masked name="the text" length={length} onReveal={() => secrets.reveal(nodes.map(({ pointer }) => pointer))} />
    </p>
  )
}
