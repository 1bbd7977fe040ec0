import type { ApprovalView, PinView } from "@byleave/api"
import type { ReactNode } from "react"
import { asDisplayed } from "../../definitions/looked-at.ts"
import { Button } from "../../parts/button.tsx"
import { Notice } from "../../parts/page.tsx"
import { Ago } from "../../parts/time.tsx"
import type { CardActions } from "../../verdict/verdict.ts"
import { countOf } from "../arguments/cut-text.ts"
import { FoldsContext, useFolds } from "../arguments/folds.ts"
import { jsonText } from "../arguments/json-lines.ts"
import { LongText } from "../arguments/shown-value.tsx"
import { Differences } from "../changes/differences.tsx"
import { Section } from "../section.tsx"
import { DefinitionWarnings } from "./definition-warnings.tsx"

export type DefinitionProps = {
  readonly approval: ApprovalView
  readonly pin: PinView | null
  readonly actions: CardActions
}

/**
 * That a tool is new or not what was accepted, how it differs, and the way to accept it; nothing where all is as accepted. A definition that changes
 * while it is shown is another one: what was expanded of the earlier one is collapsed again.
 */
export function DefinitionToAccept(props: DefinitionProps): ReactNode {
  const { approval, pin } = props
  if (approval.pin !== "new" && approval.pin !== "changed") return null
  return <NotAccepted key={pin === null ? "" : asDisplayed(pin)} {...props} />
}

/** All of the difference, or of a new definition, is there before it can be accepted; what is collapsed has to be expanded. */
function NotAccepted({ approval, pin, actions }: DefinitionProps): ReactNode {
  const { folds, closed, openAll, openWords } = useFolds()
  const proposed = pin?.proposed ?? null
  // By the definitions that an answer is bound to, where there are any.
  const isChanged = proposed === null ? approval.pin === "changed" : pin?.accepted !== null
  return (
    <Section title={isChanged ? "Tool definition changed" : "New tool"}>
      <Notice
        tone="wait"
        actions={
          proposed !== null && (
            <Button
              size="small"
              busy={actions.busyWith === "accept" && "Accepting…"}
              disabled={closed > 0}
              onClick={() => actions.onAccept(approval)}
            >
              {isChanged ? "Accept change" : "Accept tool"}
            </Button>
          )
        }
      >
        {isChanged ? (
          <Changed pin={pin} />
        ) : (
          <p>Nobody has accepted this tool's definition yet. Until somebody does, every call of it needs approval.</p>
        )}
      </Notice>
      <DefinitionWarnings flags={pin?.flags ?? []} definition={proposed?.whole ?? null} />
      <FoldsContext value={folds}>
        {isChanged && pin !== null && pin.differences.length > 0 && (
          <Differences
            changes={pin.differences.map(({ path, before, after }) => ({
              path,
              ...(before === undefined ? {} : { before }),
              ...(after === undefined ? {} : { after }),
            }))}
            within={proposed?.whole ?? {}}
            before="accepted"
            after="now"
            isRevealed={() => true}
          />
        )}
        {!isChanged && proposed !== null && <LongText text={jsonText(proposed.whole)} most={4_000} mostLines={60} />}
      </FoldsContext>
      {closed > 0 && (
        <p>
          Some of the definition is collapsed. Expand it before you accept it.{" "}
          <Button size="small" onClick={openAll}>
            {openWords}
          </Button>
        </p>
      )}
    </Section>
  )
}

function Changed({ pin }: { readonly pin: PinView | null }): ReactNode {
  const matters = new Set(pin?.differences.map((difference) => difference.matters))
  return (
    <>
      <p>
        The definition of this tool differs from the accepted one
        {pin?.accepted == null ? (
          ""
        ) : (
          <>
            {" "}
            (accepted <Ago at={pin.accepted.at} />)
          </>
        )}
        . Until somebody accepts it, every call of it needs approval.
      </p>
      {pin !== null && pin.differences.length > 0 && (
        <p>
          {countOf(pin.differences.length, "difference")}
          {matters.has("shape")
            ? ", including its schema"
            : matters.has("hints")
              ? ", in its behavior hints"
              : ", in its description only"}
          .
        </p>
      )}
    </>
  )
}
