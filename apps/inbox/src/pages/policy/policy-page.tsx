import type { PolicyTextView } from "@byleave/api"
import { Button, Loading, Notice, Page, Sheet } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { useRead } from "../../data/use-read.ts"
import { ReadProblem } from "../places/reading.tsx"
import { CarryRules } from "./carry/carry-rules.tsx"
import { PolicyWorkspace } from "./policy-workspace.tsx"
import { ProblemList } from "./problem-list.tsx"
import look from "./review/review.module.css"
import { RulesInForce } from "./rules-in-force.tsx"
import { TemplateRules } from "./template-rules.tsx"
import type { EditablePolicy } from "./use-policy-editing.ts"

/** The rules as they are written: edited here, reviewed, and then put in force. */
export function PolicyPage(): ReactNode {
  const read = useRead("getPolicyText")
  return (
    <Page
      title="Policy"
      lead="The rules that decide every call. Preview the effect of a change before you save it."
      actions={<CarryRules canImport={read.state === "ready" && read.value.text !== null} />}
    >
      {read.state === "loading" && <Loading label="Loading the policy" lines={8} />}
      {read.state === "problem" && <ReadProblem problem={read.problem} again={read.again} />}
      {read.state === "ready" && <Policy policy={read.value} again={read.again} />}
    </Page>
  )
}

function Policy({ policy, again }: { readonly policy: PolicyTextView; readonly again: () => void }): ReactNode {
  const editable = useLastEditable(policy)
  const isOpen = policy.text !== null
  return (
    <>
      {policy.waiting !== null && <WaitingChange approval={policy.waiting} />}
      {policy.waiting === null && !policy.inForce && <NotInForce />}
      {!isOpen && <NotEditable policy={policy} again={again} />}
      {editable !== null && <PolicyWorkspace policy={editable} isOpen={isOpen} onReadAgain={again} />}
      {isOpen ? <TemplateRules /> : <RulesInForce />}
    </>
  )
}

/** The policy that can be edited, or could be a moment ago: a file that somebody broke meanwhile takes nobody's text away. */
function useLastEditable(policy: PolicyTextView): EditablePolicy | null {
  const [last, setLast] = useState(policy)
  if (policy.text !== null && policy !== last) setLast(policy)
  const shown = policy.text === null ? last : policy
  return shown.text === null ? null : { ...shown, text: shown.text }
}

function NotEditable({ policy, again }: { readonly policy: PolicyTextView; readonly again: () => void }): ReactNode {
  const { why, problems } = policy
  const isBroken = problems.some(({ severity }) => severity === "error")
  return (
    <>
      <Notice
        tone={isBroken ? "wait" : "know"}
        title="This policy cannot be edited here"
        actions={<Button onClick={again}>Check again</Button>}
      >
        {why ?? "The service has no configuration file to edit."}
      </Notice>
      {problems.length > 0 && (
        <Sheet label={`Problems in ${policy.file}`}>
          <div className={look.inside}>
            <ProblemList problems={problems} />
          </div>
        </Sheet>
      )}
    </>
  )
}

/** A change that somebody denied or withdrew still stands in the file: a reader must not take it for the policy in force. */
function NotInForce(): ReactNode {
  return (
    <Notice tone="wait" title="Not all of this is in effect">
      Part of this file was not accepted and is no longer waiting for approval. Remove that part, or edit the file again
      (a comment is enough) to request approval again. <Link to="/permissions">In effect now</Link>
    </Notice>
  )
}

/** The file was changed so that more would run: that part waits for a person. */
function WaitingChange({ approval }: { readonly approval: string }): ReactNode {
  return (
    <Notice tone="wait" title="A change to this file needs your approval">
      It would allow more than now, so it is not in effect yet.{" "}
      <Link to="/" search={{ open: approval }}>
        Review change
      </Link>
    </Notice>
  )
}
