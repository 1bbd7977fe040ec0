import type { ApprovalView, PinView } from "@byleave/api"
import type { ReactNode } from "react"
import { Button } from "../../parts/button.tsx"
import { Notice } from "../../parts/page.tsx"
import { Ago } from "../../parts/time.tsx"
import type { CardActions } from "../../verdict/verdict.ts"
import { countOf } from "../arguments/cut-text.ts"
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

/** That a tool is new or not what was accepted, how it differs, and the way to accept it; nothing where all is as accepted. */
export function DefinitionToAccept({ approval, pin, actions }: DefinitionProps): ReactNode {
  if (approval.pin !== "new" && approval.pin !== "changed") return null
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
      {!isChanged && proposed !== null && (
        <details>
          <summary>Full definition</summary>
          <LongText text={jsonText(proposed.whole)} most={4_000} mostLines={60} />
        </details>
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
