import { Button, Notice, Sheet, Tick } from "@byleave/ui"
import { Volume2 } from "lucide-react"
import { type ReactNode, useState } from "react"
import { beep } from "../../notify/beep.ts"
import { useNotifySettings } from "../../notify/use-notify-settings.ts"
import look from "./settings.module.css"

type Permission = "default" | "granted" | "denied" | "missing"

function permissionNow(): Permission {
  return typeof Notification === "undefined" ? "missing" : Notification.permission
}

/** How this person is told, in this browser. The browser's own question is asked only when the box is ticked. */
export function NotifyingSettings({ reviewer }: { readonly reviewer: string }): ReactNode {
  const [settings, change] = useNotifySettings(reviewer)
  const [permission, setPermission] = useState(permissionNow)
  const turn = async (wanted: boolean): Promise<void> => {
    if (!wanted) return change({ notifications: false, asked: true })
    const given = permission === "missing" ? "missing" : await Notification.requestPermission()
    setPermission(given)
    change({ notifications: given === "granted", asked: true })
  }
  const mayNotify = permission !== "missing" && permission !== "denied"
  return (
    <Sheet title="Notifications">
      <div className={look.body}>
        <p className="soft">Applies to you in this browser. The count in the title and on the icon is always shown.</p>
        <div>
          <Tick
            label="Browser notifications"
            words="When a call is waiting and this page is in the background. They name the tool and the agent, never the arguments."
            checked={settings.notifications && permission === "granted"}
            disabled={!mayNotify}
            onChange={(event) => void turn(event.currentTarget.checked)}
          />
          <Tick
            label="Sound"
            words="When a new call needs approval."
            checked={settings.sound}
            onChange={(event) => change({ sound: event.currentTarget.checked })}
          />
          <Tick
            label="Expiry warning"
            words="One minute before a call expires."
            checked={settings.expiry}
            onChange={(event) => change({ expiry: event.currentTarget.checked })}
          />
        </div>
        {!mayNotify && (
          <Notice tone="know">
            {permission === "missing"
              ? "This browser does not support notifications on this page."
              : "Notifications are blocked for this page. Allow them for this address in your browser's settings, then come back."}
          </Notice>
        )}
        <div className={look.line}>
          <Button size="small" icon={<Volume2 />} onClick={() => void beep()}>
            Play sound
          </Button>
        </div>
      </div>
    </Sheet>
  )
}
