import { Empty } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { Cable } from "lucide-react"
import type { ReactNode } from "react"
import { useRead } from "../../data/use-read.ts"
import { changesOf } from "./agents-here.tsx"
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
        <AgentsFound />
        <ChooseClient chosen={null} />
        <FirstCallLine principal={null} onlyNew={false} />
      </div>
    </Empty>
  )
}

/** Agents on this machine can be set up with one press. */
function AgentsFound(): ReactNode {
  const setup = useRead("getSetup")
  if (setup.state !== "ready" || changesOf(setup.value).length === 0) return null
  const titles = [...new Set(setup.value.files.map(({ title }) => title))]
  return (
    <p>
      Found on this machine: {titles.join(", ")}. <Link to="/connect">Put Byleave in front of their servers</Link>
    </p>
  )
}
