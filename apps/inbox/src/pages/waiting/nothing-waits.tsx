import { Empty, Loading } from "@byleave/ui"
import { Stamp as StampIcon } from "lucide-react"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { useRead } from "../../data/use-read.ts"
import { fetching } from "../../shell/page-not-loaded.ts"
import look from "./waiting-page.module.css"

const NothingYet = lazy(fetching(async () => ({ default: (await import("../connect/nothing-yet.tsx")).NothingYet })))

/** Nothing waits: what would bring something, and what happens then. Where no agent has ever called, how to connect one. */
export function NothingWaits(): ReactNode {
  const me = useRead("me")
  const calls = useRead("listCalls", { query: { limit: fewCalls } })
  const [shownAt] = useState(Date.now)
  const isDemo = me.state === "ready" && me.value.isDemo
  // An agent's first call is told of where it was waited for, and does not take that away.
  const isNew = calls.state === "ready" && calls.value.items.every((call) => isOwn(call) || call.at >= shownAt)
  const reading = <Loading label="Loading waiting calls" lines={5} />
  if (calls.state === "loading" || me.state === "loading") return reading
  if (isNew && !isDemo) {
    return (
      <Suspense fallback={reading}>
        <NothingYet />
      </Suspense>
    )
  }
  return (
    <Empty icon={<StampIcon />} title="No calls waiting">
      <div className={look.words}>
        <p>
          When an agent calls a tool that needs approval, the call is held and shown here. It runs only if you allow it.
        </p>
        {isDemo && <DemoWords />}
        <p>Keep this page open. It updates automatically.</p>
      </div>
    </Empty>
  )
}

const fewCalls = 5

/** Changes of the configuration are asked about under this name. */
function isOwn({ principal }: { readonly principal: string }): boolean {
  return principal === "byleave"
}

function DemoWords(): ReactNode {
  return (
    <>
      <p>
        To see an example, keep <code>npm start</code> running and start the demo agent in another terminal:
      </p>
      <pre className={look.command}>
        <code>npm run demo</code>
      </pre>
    </>
  )
}
