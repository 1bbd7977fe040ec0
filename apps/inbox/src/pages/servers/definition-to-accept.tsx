import type { PinView } from "@byleave/api"
import { showText } from "@byleave/core"
import { Ago, Button, Mark, Quoted, ShownName, ShownText } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { argumentsOf, type DefinitionChange, definitionGroups, differenceSummary } from "./definition-groups.ts"
import look from "./definition-to-accept.module.css"

type DefinitionToAcceptProps = {
  readonly pin: PinView
  readonly isBusy: boolean
  /** One is being accepted, this or another. */
  readonly isBarred: boolean
  readonly onLook: () => void
  readonly onAccept: () => void
}

/** One definition. Accept stands below what is accepted, and is there only once that is open. */
export function DefinitionToAccept({ pin, isBusy, isBarred, onLook, onAccept }: DefinitionToAcceptProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const turn = (open: boolean): void => {
    setOpen(open)
    if (open) onLook()
  }
  return (
    <li>
      <details className={look.definition} open={isOpen} onToggle={(event) => turn(event.currentTarget.open)}>
        <summary className={look.head}>
          <code className={look.tool}>
            <ShownName text={pin.tool} />
          </code>
          <Mark tone="wait">{pin.accepted === null ? "New" : "Changed"}</Mark>
          <span className={look.soft}>
            {differenceSummary(pin)}
            {pin.proposed !== null && (
              <>
                {" · seen "}
                <Ago at={pin.proposed.seenAt} />
              </>
            )}
          </span>
        </summary>
        {isOpen && (
          <div className={look.body} key={pin.proposed?.fingerprint}>
            {pin.accepted === null ? <NewTool pin={pin} /> : <ChangedTool pin={pin} />}
            <div className={look.accept}>
              <Button tone="yes" disabled={isBarred} busy={isBusy && "Accepting…"} onClick={onAccept}>
                <span>
                  Accept <ShownName text={pin.tool} /> as shown
                </span>
              </Button>
              <p className={look.soft}>
                Rules and remembered answers then hold for it again. No call runs by this alone.
              </p>
            </div>
          </div>
        )}
      </details>
    </li>
  )
}

function ChangedTool({ pin }: { readonly pin: PinView }): ReactNode {
  return definitionGroups(pin.differences).map((group) => (
    <section key={group.matters} className={look.group}>
      <h4>{group.title}</h4>
      <p className={look.soft}>{group.why}</p>
      <ul className={look.changes}>
        {group.changes.map((change) => (
          <Change key={`${change.kind} ${change.path}`} change={change} />
        ))}
      </ul>
    </section>
  ))
}

function Change({ change }: { readonly change: DefinitionChange }): ReactNode {
  return (
    <li className={look.change}>
      <p>
        <code>
          <ShownText text={change.place} />
        </code>{" "}
        <span className={look.soft}>{change.kind}</span>
      </p>
      {change.before !== null && <Side name="Before" tone="no" text={change.before} />}
      {change.after !== null && <Side name="Now" tone="yes" text={change.after} />}
    </li>
  )
}

function Side({
  name,
  tone,
  text,
}: {
  readonly name: string
  readonly tone: "yes" | "no"
  readonly text: string
}): ReactNode {
  return (
    <div className={look.side} data-tone={tone}>
      <span className={look.sideName}>{name}</span>
      <div className={look.sideText}>
        <ShownText text={text} />
      </div>
    </div>
  )
}

function NewTool({ pin }: { readonly pin: PinView }): ReactNode {
  const definition = pin.proposed?.definition
  if (definition === undefined) return null
  const takes = argumentsOf(definition.inputSchema)
  return (
    <>
      <Quoted by={`${showText(pin.server)} says of ${showText(pin.tool)}`}>
        <ShownText text={definition.description ?? "Nothing."} />
      </Quoted>
      <section className={look.group}>
        <h4>What it takes</h4>
        {takes.length === 0 ? (
          <p className={look.soft}>It names no arguments.</p>
        ) : (
          <ul className={look.changes}>
            {takes.map((argument) => (
              <li key={argument.name} className={look.change}>
                <p>
                  <code>
                    <ShownName text={argument.name} />
                  </code>{" "}
                  <span className={look.soft}>
                    <ShownText text={argument.type} />
                    {argument.required ? ", required" : ""}
                  </span>
                </p>
                {argument.description !== null && (
                  <p className={look.soft}>
                    <ShownText text={argument.description} />
                  </p>
                )}
              </li>
            ))}
          </ul>
        )}
      </section>
      {definition.annotations !== null && (
        <section className={look.group}>
          <h4>What it says it does</h4>
          <Side name="Hints" tone="yes" text={JSON.stringify(definition.annotations, null, 2)} />
        </section>
      )}
    </>
  )
}
