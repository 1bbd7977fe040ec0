import { Empty } from "@byleave/ui"
import { Cable } from "lucide-react"
import type { ReactNode } from "react"
import { ChooseClient } from "./choose-client.tsx"
import { FirstCallLine } from "./first-call-line.tsx"
import look from "./nothing-yet.module.css"

/** No agent has called anything yet: how to connect one, and the wait for its first call. */
export function NothingYet(): ReactNode {
  return (
    <Empty icon={<Cable />} title="Connect an agent">
      <div className={look.body}>
        <p>
          When an agent calls a tool that needs approval, the call is held and shown here. No agent has called yet.
          Choose yours to get its configuration.
        </p>
        <ChooseClient chosen={null} />
        <FirstCallLine principal={null} onlyNew={false} />
      </div>
    </Empty>
  )
}
