import type { MeView } from "@byleave/api"
import { Ago, Button, Fact, Facts, Mark, Sheet, ShownText } from "@byleave/ui"
import { KeyRound, LogOut } from "lucide-react"
import { type ReactNode, useState } from "react"
import { useSession } from "../../session/session-context.tsx"
import { ChangePinDialog } from "./change-pin-dialog.tsx"
import look from "./settings.module.css"

/** Who is signed in here, and the way out. */
export function ThisBrowser({ me }: { readonly me: MeView }): ReactNode {
  const [isChanging, setChanging] = useState(false)
  const [isLeaving, setLeaving] = useState(false)
  const { signOut } = useSession()
  const leave = async (): Promise<void> => {
    setLeaving(true)
    await signOut()
  }
  return (
    <Sheet
      title="You and this browser"
      actions={
        <>
          {me.reviewer.hasPin && (
            <Button size="small" icon={<KeyRound />} onClick={() => setChanging(true)}>
              Change PIN…
            </Button>
          )}
          <Button size="small" icon={<LogOut />} busy={isLeaving && "Signing out…"} onClick={() => void leave()}>
            Sign out this browser
          </Button>
        </>
      }
    >
      <div className={look.body}>
        <Facts>
          <Fact name="You">
            <ShownText text={me.reviewer.name} />
            {me.reviewer.id !== me.reviewer.name && (
              <>
                {" "}
                (<ShownText text={me.reviewer.id} />)
              </>
            )}
          </Fact>
          <Fact name="Groups">
            {me.reviewer.groups.length === 0 ? "None" : <ShownText text={me.reviewer.groups.join(", ")} />}
          </Fact>
          <Fact name="This browser">
            <ShownText text={me.device.name} />, signed in <Ago at={me.device.createdAt} />
          </Fact>
          <Fact name="Can approve">
            <PresenceMark me={me} />
          </Fact>
        </Facts>
      </div>
      {isChanging && <ChangePinDialog reviewer={me.reviewer.id} onClose={() => setChanging(false)} />}
    </Sheet>
  )
}

function PresenceMark({ me }: { readonly me: MeView }): ReactNode {
  if (me.presence === "none") return <Mark tone="wait">Yes: PINs are turned off</Mark>
  return me.present ? (
    <Mark tone="yes">Yes: signed in with your PIN</Mark>
  ) : (
    <Mark tone="no">No: signed in without a PIN</Mark>
  )
}
