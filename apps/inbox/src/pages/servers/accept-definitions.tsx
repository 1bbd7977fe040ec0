import type { PinView } from "@byleave/api"
import { Button, ShownText } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import look from "./accept-definitions.module.css"
import { DefinitionToAccept } from "./definition-to-accept.tsx"
import { leftToLookAt, lookedAt } from "./looked-at.ts"

type Accepting = "none" | "all" | { readonly tool: string }

/**
 * Definitions that are new or have changed, each with its difference. All of them at once only after each was opened as it is now: one that
 * changes again meanwhile has to be looked at again.
 */
export function AcceptDefinitions({
  server,
  pins,
}: {
  readonly server: string
  readonly pins: readonly PinView[]
}): ReactNode {
  const [looked, setLooked] = useState<ReadonlySet<string>>(new Set())
  const [accepting, setAccepting] = useState<Accepting>("none")
  const { act, problem, forget } = useAct("acceptPin")
  const left = leftToLookAt(pins, looked)
  const accept = async (wanted: readonly PinView[]): Promise<void> => {
    for (const { tool, proposed } of wanted) {
      if (proposed === null) continue
      const done = await act({ body: { server, tool, fingerprint: proposed.fingerprint } })
      if (!done.ok) break
    }
    setAccepting("none")
  }
  const acceptOne = (pin: PinView): void => {
    setAccepting({ tool: pin.tool })
    void accept([pin])
  }
  const acceptAll = (): void => {
    setAccepting("all")
    void accept(pins)
  }
  return (
    <section className={look.waiting} aria-label="Definitions to accept">
      <div className={look.lead}>
        <h3>
          {pins.length === 1 ? "1 definition waits for your look" : `${pins.length} definitions wait for your look`}
        </h3>
        <p>
          Byleave keeps what a tool said of itself when it was accepted. Until you accept what it says now, each call of
          it is asked, whatever is remembered.
        </p>
      </div>
      <ProblemNotice problem={problem} onClose={forget} />
      <ul className={look.list}>
        {pins.map((pin) => (
          <DefinitionToAccept
            key={pin.tool}
            pin={pin}
            isBusy={typeof accepting === "object" && accepting.tool === pin.tool}
            isBarred={accepting !== "none"}
            onLook={() => setLooked(lookedAt(looked, pin))}
            onAccept={() => acceptOne(pin)}
          />
        ))}
      </ul>
      {pins.length > 1 && (
        <div className={look.all}>
          <Button
            tone="yes"
            disabled={left > 0 || accepting !== "none"}
            busy={accepting === "all" && "Accepting…"}
            onClick={acceptAll}
          >
            <span>
              Accept all {pins.length} of <ShownText text={server} />
            </span>
          </Button>
          {left > 0 && <p>{left === 1 ? "Look at 1 more first." : `Look at ${left} more first.`}</p>}
        </div>
      )}
    </section>
  )
}
