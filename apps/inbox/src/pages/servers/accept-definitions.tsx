import type { PinView } from "@byleave/api"
import { bindAcceptance } from "@byleave/api/page"
import { Button, ShownText } from "@byleave/ui"
import { asDisplayed, DefinitionReview, leftToLookAt, lookedAt, type PinAct, pinKey } from "@byleave/ui/definitions"
import { type ReactNode, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import look from "./accept-definitions.module.css"

type Doing = "nothing" | "all" | { readonly pin: string; readonly act: PinAct }

/**
 * Definitions that are new or have changed, each with its difference, and those that somebody rejected or put in quarantine. All that wait
 * are accepted at once only after each was opened as it is now: one that changes again meanwhile has to be looked at again.
 */
export function AcceptDefinitions({ pins }: { readonly pins: readonly PinView[] }): ReactNode {
  const [looked, setLooked] = useState<ReadonlySet<string>>(new Set())
  const [doing, setDoing] = useState<Doing>("nothing")
  const acts = {
    accept: useAct("acceptPin"),
    reject: useAct("rejectPin"),
    quarantine: useAct("quarantinePin"),
    lift: useAct("liftPin"),
  }
  const perform = async (pin: PinView, act: PinAct): Promise<boolean> => {
    const of = pin.of === "server" ? { server: pin.server } : { server: pin.server, tool: pin.tool }
    const body = { ...of, fingerprint: pin.proposed?.fingerprint ?? "" }
    switch (act) {
      case "accept":
        return (await acts.accept.act({ body: await bindAcceptance(pin) })).ok
      case "reject":
        return (await acts.reject.act({ body })).ok
      case "quarantine":
      case "lift":
        return (await acts[act].act({ body: of })).ok
    }
  }
  const doOne = async (pin: PinView, act: PinAct): Promise<void> => {
    setDoing({ pin: pinKey(pin), act })
    await perform(pin, act)
    setDoing("nothing")
  }
  const acceptAll = async (wanted: readonly PinView[]): Promise<void> => {
    setDoing("all")
    for (const pin of wanted) if (!(await perform(pin, "accept"))) break
    setDoing("nothing")
  }
  const definition = (pin: PinView): ReactNode => (
    <DefinitionReview
      key={asDisplayed(pin)}
      pin={pin}
      busyWith={typeof doing === "object" && doing.pin === pinKey(pin) ? doing.act : null}
      isBarred={doing !== "nothing"}
      onLook={() => setLooked((before) => lookedAt(before, pin))}
      onAct={(act) => void doOne(pin, act)}
    />
  )
  const waiting = pins.filter(isWaiting)
  const answered = pins.filter((pin) => !isWaiting(pin))
  return (
    <>
      {Object.entries(acts).map(([name, { problem, forget }]) => (
        <ProblemNotice key={name} problem={problem} onClose={forget} />
      ))}
      {waiting.length > 0 && (
        <section className={look.waiting} aria-label="Definitions to review">
          <div className={look.lead}>
            <h3>{waiting.length === 1 ? "1 definition to review" : `${waiting.length} definitions to review`}</h3>
            <p>
              Agents still see the accepted definitions. Until you accept a change, every call of that tool needs
              approval, regardless of permissions. New tools stay hidden from agents unless the configuration offers
              them.
            </p>
          </div>
          <ul className={look.list}>{waiting.map(definition)}</ul>
          {waiting.length > 1 && (
            <AcceptAll
              pins={waiting}
              left={leftToLookAt(waiting, looked)}
              isBarred={doing !== "nothing"}
              isBusy={doing === "all"}
              onAccept={() => void acceptAll(waiting)}
            />
          )}
        </section>
      )}
      {answered.length > 0 && (
        <section className={look.answered} aria-label="Rejected and quarantined">
          <h3>Rejected and quarantined</h3>
          <ul className={look.list}>{answered.map(definition)}</ul>
        </section>
      )}
    </>
  )
}

export function isWaiting({ proposed, quarantined }: PinView): boolean {
  return proposed !== null && proposed.rejected === null && quarantined === null
}

type AcceptAllProps = {
  readonly pins: readonly PinView[]
  readonly left: number
  readonly isBarred: boolean
  readonly isBusy: boolean
  readonly onAccept: () => void
}

function AcceptAll({ pins, left, isBarred, isBusy, onAccept }: AcceptAllProps): ReactNode {
  return (
    <div className={look.all}>
      <Button tone="yes" disabled={left > 0 || isBarred} busy={isBusy && "Accepting…"} onClick={onAccept}>
        <span>
          Accept all {pins.length} from <ShownText text={pins[0]?.server ?? ""} />
        </span>
      </Button>
      {left > 0 && <p>{left === 1 ? "Review 1 more first." : `Review ${left} more first.`}</p>}
    </div>
  )
}
