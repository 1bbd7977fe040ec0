import type { ApprovalView, FileChange } from "@byleave/api"
import { shownArguments, shownExtraParams, shownPointers } from "@byleave/api/page"
import type { JsonObject } from "@byleave/core"
import { type ReactNode, useMemo } from "react"
import { placeWords } from "../card/arguments/arg-changes.ts"
import { type ArgNode, argTree, extraTree, restOf, sentTree, valueWords } from "../card/arguments/arg-tree.ts"
import { ExtraNotes } from "../card/arguments/extra-params.tsx"
import { type Secrets, useSecrets } from "../card/arguments/secrets.ts"
import { ValueList } from "./edit/value-list.tsx"

type RestOfCallProps = {
  readonly call: ApprovalView
  /** They are shown beside this. */
  readonly changes: readonly FileChange[]
  readonly secrets: Secrets
}

/** Which values of a call are masked, among its arguments and all that is sent with them. */
export function useCallSecrets(call: ApprovalView): Secrets {
  return useSecrets(useMemo(() => sentTree(call), [call]))
}

/** Everything of a call that its changes of files do not show: its other arguments, all that is sent with them, and what is not sent. */
export function RestOfCall({ call, changes, secrets }: RestOfCallProps): ReactNode {
  const { args, rest, extra } = useMemo(() => {
    const args = shownArguments(call)
    const rest = restOf(argTree(args ?? {}, call.risks), shownPointers(changes))
    return { args, rest, extra: extraTree(call) }
  }, [call, changes])
  return (
    <>
      {args === null && <p className="aside">Arguments no longer stored</p>}
      {args !== null && Object.keys(args).length === 0 && <p className="aside">No arguments</p>}
      <Values nodes={rest} within={args ?? {}} secrets={secrets} />
      {extra.length > 0 && <p className="aside">Also sent:</p>}
      <Values nodes={restOf(extra, nowhere)} within={shownExtraParams(call) ?? {}} secrets={secrets} />
      <ExtraNotes tree={extra} dropped={call.droppedParams ?? []} />
    </>
  )
}

const nowhere: ReadonlySet<string> = new Set()

type ValuesProps = {
  readonly nodes: readonly ArgNode[]
  /** Their arguments, as a whole. */
  readonly within: JsonObject
  readonly secrets: Secrets
}

/** Values of a call, each beside its place. */
export function Values({ nodes, within, secrets }: ValuesProps): ReactNode {
  if (nodes.length === 0) return null
  const values = nodes.map(({ pointer, value }) => ({
    // Pointers to what is sent with the arguments begin with a word.
    place: placeWords(pointer.slice(pointer.indexOf("/")), within),
    text: valueWords(value),
    ...(secrets.hidden.has(pointer) ? { onReveal: () => secrets.reveal([pointer]) } : {}),
  }))
  return <ValueList values={values} />
}
