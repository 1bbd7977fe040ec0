import type { PinView, ServerView } from "@byleave/api"
import { definitionsDigest } from "@byleave/api/page"
import { Button, Notice, ShownName } from "@byleave/ui"
import type { ReactNode } from "react"
import { shortWords } from "../wire/short-words.ts"
import { answerIn, type PanelBackend } from "./panel-client.ts"
import { useAct } from "./use-live.ts"

export function isChanged({ state }: PinView): boolean {
  return state === "changed" || state === "new"
}

type ChangedProps = { readonly backend: PanelBackend; readonly pins: readonly PinView[] }

/** Tools that are as they were, at another address, are accepted together. */
export function ChangedTools({ backend, server, pins }: ChangedProps & { readonly server: ServerView }): ReactNode {
  const moved = pins.filter(isOnlyMoved)
  return (
    <>
      {moved.length > 0 && <MovedTools backend={backend} address={server.target} pins={moved} />}
      {pins
        .filter((pin) => !isOnlyMoved(pin))
        .slice(0, mostShown)
        .map((pin) => (
          <ChangedTool key={pin.tool} backend={backend} pin={pin} />
        ))}
    </>
  )
}

const mostShown = 50

function isOnlyMoved({ state, differences }: PinView): boolean {
  return state === "changed" && differences.every(({ path }) => path === "/address")
}

function pathsIn({ differences }: PinView): string {
  return shortWords(
    differences
      .slice(0, mostShown)
      .map(({ path }) => path)
      .join(", "),
  )
}

async function acceptTool(backend: PanelBackend, pin: PinView): Promise<void> {
  if (pin.proposed === null) return
  const { server, tool, proposed } = pin
  const digest = await definitionsDigest(pin)
  await answerIn(backend.client.acceptPin({ body: { server, tool, fingerprint: proposed.fingerprint, digest } }))
}

function MovedTools({ backend, address, pins }: ChangedProps & { readonly address: string }): ReactNode {
  const before = pins[0]?.differences[0]?.before
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
        {typeof before === "string" ? (
          <>
            Its tools were accepted at <ShownName text={shortWords(before)} />.
          </>
        ) : (
          "Its tools were accepted before their address was kept."
        )}{" "}
        They are now at <ShownName text={address} />. What you had allowed for them is revoked.
      </p>
      {accept.problem}
    </Notice>
  )
}

function ChangedTool({ backend, pin }: { readonly backend: PanelBackend; readonly pin: PinView }): ReactNode {
  const accept = useAct(() => acceptTool(backend, pin))
  return (
    <Notice
      tone="wait"
      title={pin.state === "new" ? "A new tool" : "A tool has changed"}
      actions={
        <Button size="small" busy={accept.isBusy && "Accepting…"} onClick={() => void accept.run()}>
          Accept
        </Button>
      }
    >
      <p>
        <code>
          <ShownName text={pin.tool} />
        </code>
        {pin.differences.length > 0 && ` differs in ${pathsIn(pin)}`}
      </p>
      {pin.proposed?.definition.description != null && (
        <blockquote className="aside">
          <ShownName text={shortWords(pin.proposed.definition.description)} />
        </blockquote>
      )}
      {accept.problem}
    </Notice>
  )
}
