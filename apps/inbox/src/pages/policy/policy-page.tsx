import type { PolicyTextView } from "@byleave/api"
import { Loading, Notice, Page } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useRead } from "../../data/use-read.ts"
import { ReadProblem } from "../permissions/read-problem.tsx"
import { PolicyDesk } from "./policy-desk.tsx"
import { RulesInForce } from "./rules-in-force.tsx"

/** The rules as they are written: edited here, reviewed, and then put in force. */
export function PolicyPage(): ReactNode {
  const read = useRead("getPolicyText")
  return (
    <Page title="Policy" lead="The rules every call meets first. You see what a change would do before it holds.">
      {read.state === "loading" && <Loading label="Reading the policy" lines={8} />}
      {read.state === "problem" && <ReadProblem problem={read.problem} again={read.again} />}
      {read.state === "ready" && <Policy policy={read.value} again={read.again} />}
    </Page>
  )
}

function Policy({ policy, again }: { readonly policy: PolicyTextView; readonly again: () => void }): ReactNode {
  return (
    <>
      {policy.waiting !== null && <WaitingChange approval={policy.waiting} />}
      {policy.text === null ? (
        <>
          <Notice tone="know" title="This policy cannot be edited here">
            {policy.why ?? "The service has no file of its own to edit."}
          </Notice>
          <RulesInForce />
        </>
      ) : (
        <PolicyDesk policy={{ ...policy, text: policy.text }} onReadAgain={again} />
      )}
    </>
  )
}

/** The file was changed so that more would run: that part waits for a person. */
function WaitingChange({ approval }: { readonly approval: string }): ReactNode {
  return (
    <Notice tone="wait" title="A change of the file waits for your yes">
      It would let more run than now, so it does not hold yet.{" "}
      <Link to="/" search={{ open: approval }}>
        See it and decide
      </Link>
    </Notice>
  )
}
