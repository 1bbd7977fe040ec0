import { Empty } from "@byleave/ui"
import { Stamp as StampIcon } from "lucide-react"
import type { ReactNode } from "react"
import look from "./waiting-page.module.css"

/** Nothing waits: what would bring something, and what happens then. */
export function NothingWaits(): ReactNode {
  return (
    <Empty icon={<StampIcon />} title="Nothing waits for you">
      <div className={look.words}>
        <p>
          When an agent wants to use a tool that your policy leaves to a person, the call stops and is shown here. It
          runs once you allow it, and never if you do not.
        </p>
        <p>
          To see one, leave <code>npm start</code> running and play the small agent of the demonstration in another
          terminal:
        </p>
        <pre className={look.command}>
          <code>npm run demo</code>
        </pre>
        <p>You can leave this page open. It needs no reloading.</p>
      </div>
    </Empty>
  )
}
