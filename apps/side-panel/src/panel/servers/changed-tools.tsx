import type { PinView } from "@byleave/api"
import { bindAcceptance } from "@byleave/api/page"
import { Button, Notice, TheirName } from "@byleave/ui"
import { asDisplayed, DefinitionReview } from "@byleave/ui/definitions"
import type { ReactNode } from "react"
import { answerIn, type PanelBackend } from "../panel-client.ts"
import look from "../places.module.css"
import { ProblemNotice } from "../problem-notice.tsx"
import { useAct } from "../use-live.ts"

export function isChanged({ state }: PinView): boolean {
  return state === "changed" || state === "new"
}

type ChangedProps = { readonly backend: PanelBackend; readonly pins: readonly PinView[] }

/** The definitions that wait to be accepted. Tools that are as they were, at another address, are accepted together; anything else once it was opened. */
export function ChangedTools({ backend, pins }: ChangedProps): ReactNode {
  const moves = backend.kind === "standalone" ? movesIn(pins) : new Map<string, Move>()
  const moved = new Set([...moves.values()].flatMap((move) => move.pins))
  const others = pins.filter((pin) => !moved.has(pin))
  return (
    <>
      {[...moves].map(([key, move]) => (
        <MovedTools key={key} backend={backend} move={move} />
      ))}
      {others.length > 0 && (
        <ul className={look.changed} aria-label="Definitions to review">
          {others.map((pin) => (
            <ChangedTool key={asDisplayed(pin)} backend={backend} pin={pin} />
          ))}
        </ul>
      )}
    </>
  )
}

/** `from` null: they were accepted before addresses were kept. */
type Move = { readonly from: string | null; readonly to: string; readonly pins: readonly PinView[] }

/** Only the panel itself writes addresses into definitions; elsewhere a server could, and say there what it likes. */
function movesIn(pins: readonly PinView[]): ReadonlyMap<string, Move> {
  const moves = new Map<string, Move>()
  for (const pin of pins) {
    const [difference, ...more] = pin.differences
    if (difference?.path !== "/address" || more.length > 0 || typeof difference.after !== "string") continue
    const from = typeof difference.before === "string" ? difference.before : null
    const key = JSON.stringify([from, difference.after])
    moves.set(key, { from, to: difference.after, pins: [...(moves.get(key)?.pins ?? []), pin] })
  }
  return moves
}

async function acceptTool(backend: PanelBackend, pin: PinView): Promise<void> {
  await answerIn(backend.client.acceptPin({ body: await bindAcceptance(pin) }))
}

function MovedTools({ backend, move }: { readonly backend: PanelBackend; readonly move: Move }): ReactNode {
  const { from, to, pins } = move
  const accept = useAct(async () => {
    for (const pin of pins) await acceptTool(backend, pin)
  })
  return (
    <Notice
      tone="wait"
      title="Another address"
      actions={
        <Button size="small" busy={accept.isBusy && "Accepting…"} onClick={() => void accept.run()}>
          {pins.length === 1 ? "Accept 1 tool" : `Accept ${pins.length} tools`}
        </Button>
      }
    >
      <p>
        {from === null ? (
          "Its tools were accepted before their address was kept."
        ) : (
          <>
            Its tools were accepted at <TheirName text={from} most={Number.POSITIVE_INFINITY} />.
          </>
        )}{" "}
        They are now at <TheirName text={to} most={Number.POSITIVE_INFINITY} />. What you had allowed for them is
        revoked.
      </p>
      <ProblemNotice words={accept.problem} />
    </Notice>
  )
}

function ChangedTool({ backend, pin }: { readonly backend: PanelBackend; readonly pin: PinView }): ReactNode {
  const accept = useAct(() => acceptTool(backend, pin))
  return (
    <>
      <DefinitionReview
        pin={pin}
        offers={["accept"]}
        busyWith={accept.isBusy ? "accept" : null}
        isBarred={accept.isBusy}
        onAct={() => void accept.run()}
      />
      {accept.problem !== null && (
        <li>
          <ProblemNotice words={accept.problem} />
        </li>
      )}
    </>
  )
}
