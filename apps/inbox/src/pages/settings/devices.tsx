import type { DeviceView, MeView } from "@byleave/api"
import { showText } from "@byleave/core"
import { Ago, Button, Mark, Sheet, ShownText, useNow } from "@byleave/ui"
import { Link2 } from "lucide-react"
import { type ReactNode, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { useRead } from "../../data/use-read.ts"
import { useSession } from "../../session/session-context.tsx"
import { ProblemNotice } from "../places/problem-notice.tsx"
import { Reading } from "../places/reading.tsx"
import { Row, Rows } from "../places/rows.tsx"
import { lastUseWords } from "./last-use-words.ts"
import look from "./settings.module.css"
import { SignInLinkDialog } from "./sign-in-link-dialog.tsx"
import { SignOutTerminalDialog } from "./sign-out-terminal-dialog.tsx"

/** Everything that may speak for a person here. Signing one out works at once, wherever it is. */
export function Devices({ me }: { readonly me: MeView }): ReactNode {
  const devices = useRead("listDevices")
  const people = useRead("listReviewers")
  const [isLinking, setLinking] = useState(false)
  const names = new Map(people.state === "ready" ? people.value.items.map(({ id, name }) => [id, name]) : [])
  return (
    <Sheet
      title="Signed-in browsers and terminals"
      actions={
        <Button size="small" icon={<Link2 />} onClick={() => setLinking(true)}>
          Sign in another browser…
        </Button>
      }
    >
      <p className={look.lead}>
        Each has its own key. A browser's key cannot be exported; a terminal's key is a file in Byleave's data folder,
        and the one that can approve is locked with the PIN. Sign out anything you do not recognize.
      </p>
      <Reading of={devices} label="Loading signed-in browsers">
        {({ items }) => (
          <Rows label="Signed-in browsers and terminals">
            {items
              .toSorted((one, other) => order(other, me) - order(one, me))
              .map((device) => (
                <Device
                  key={device.id}
                  device={device}
                  isThis={device.id === me.device.id}
                  owner={names.get(device.reviewer)}
                />
              ))}
          </Rows>
        )}
      </Reading>
      {isLinking && <SignInLinkDialog reviewer={me.reviewer} onClose={() => setLinking(false)} />}
    </Sheet>
  )
}

/** This browser first, then by last use. */
function order(device: DeviceView, me: MeView): number {
  return device.id === me.device.id ? Number.POSITIVE_INFINITY : (device.lastSeenAt ?? device.createdAt)
}

type DeviceProps = { readonly device: DeviceView; readonly isThis: boolean; readonly owner: string | undefined }

function Device({ device, isThis, owner }: DeviceProps): ReactNode {
  const revoke = useAct("revokeDevice")
  const approve = useAct("approveDevice")
  const { signOut } = useSession()
  const now = useNow(60_000)
  const [isAsked, setAsked] = useState(false)
  const out = (): void => {
    if (isThis) void signOut()
    else if (device.kind === "terminal") setAsked(true)
    else void revoke.act({ params: { id: device.id } })
  }
  return (
    <>
      <Row
        title={<ShownText text={device.name} />}
        marks={
          <>
            {isThis && <Mark tone="know">This browser</Mark>}
            {device.waits && <Mark tone="wait">Waits for your approval</Mark>}
            <Mark>{device.presence ? "With PIN" : "Without PIN"}</Mark>
          </>
        }
        words={
          <>
            Of <ShownText text={owner ?? device.reviewer} />, signed in <Ago at={device.createdAt} />;{" "}
            {lastUseWords(device.lastSeenAt, now)}
            {device.origin !== null && (
              <>
                . An extension at{" "}
                <code>
                  <ShownText text={device.origin} />
                </code>
                {device.waits && "; it can do nothing until you approve it"}
              </>
            )}
          </>
        }
        actions={
          <>
            {device.waits && (
              <Button
                size="small"
                tone="yes"
                busy={approve.isBusy && "Approving…"}
                aria-label={`Approve ${showText(device.name)}`}
                onClick={() => void approve.act({ params: { id: device.id } })}
              >
                Approve
              </Button>
            )}
            <Button
              size="small"
              tone="no"
              busy={revoke.isBusy && "Signing out…"}
              aria-label={isThis ? "Sign out this browser" : `Sign out ${showText(device.name)}`}
              onClick={out}
            >
              Sign out
            </Button>
          </>
        }
      />
      {isAsked && <SignOutTerminalDialog device={device} revoke={revoke} onClose={() => setAsked(false)} />}
      {approve.problem !== null && (
        <li>
          <ProblemNotice problem={approve.problem} onClose={approve.forget} />
        </li>
      )}
      {revoke.problem !== null && !isAsked && (
        <li>
          <ProblemNotice problem={revoke.problem} onClose={revoke.forget} />
        </li>
      )}
    </>
  )
}
