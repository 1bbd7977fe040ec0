import { Empty } from "@byleave/ui"
import { Stamp as StampIcon } from "lucide-react"
import type { ReactNode } from "react"
import look from "./waiting-page.module.css"

/** Nothing waits: what would bring something, and what happens then. */
export function NothingWaits(): ReactNode {
  return (
    <Empty icon={<StampIcon />} title="No calls waiting">
      <div className={look.words}>
        <p>
          When an agent calls a tool that needs approval, the call is held and shown here. It runs only if you allow it.
        </p>
        <p>
          To see an example, keep <code>npm start</code> running and start the demo agent in another terminal:
        </p>
        <pre className={look.command}>
          <code>npm run demo</code>
        </pre>
        <p>Keep this page open. It updates automatically.</p>
      </div>
    </Empty>
  )
}
