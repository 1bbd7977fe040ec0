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
    <Sheet title="Being told">
      <div className={look.body}>
        <p className={look.soft}>For you, in this browser. The count in the title and on the icon is always there.</p>
        <div>
          <Tick
            label="Notifications of this browser"
            words="When a call waits and you look elsewhere. They name the tool and the agent, never the arguments."
            checked={settings.notifications && permission === "granted"}
            disabled={!mayNotify}
            onChange={(event) => void turn(event.currentTarget.checked)}
          />
          <Tick
            label="A short sound"
            words="When a call begins to wait."
            checked={settings.sound}
            onChange={(event) => change({ sound: event.currentTarget.checked })}
          />
          <Tick
            label="A warning before a call expires"
            words="A minute before it ends unanswered."
            checked={settings.expiry}
            onChange={(event) => change({ expiry: event.currentTarget.checked })}
          />
        </div>
        {!mayNotify && (
          <Notice tone="know">
            {permission === "missing"
              ? "This browser has no notifications for pages like this one."
              : "Notifications are blocked for this page. Allow them in the browser's own settings for this address, then come back."}
          </Notice>
        )}
        <div className={look.line}>
          <Button size="small" icon={<Volume2 />} onClick={() => void beep()}>
            Hear the sound
          </Button>
        </div>
      </div>
    </Sheet>
  )
}
