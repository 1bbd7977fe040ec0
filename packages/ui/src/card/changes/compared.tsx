import type { ApprovalView } from "@byleave/api"
import { exactArguments, shownArguments } from "@byleave/api/page"
import type { ReactNode } from "react"
import { argChanges } from "../arguments/arg-changes.ts"
import type { Secrets } from "../arguments/secrets.ts"
import { Section } from "../section.tsx"
import { Differences } from "./differences.tsx"

type ComparedProps = { readonly approval: ApprovalView; readonly secrets: Secrets }

/** Notes that the rest of the card must be read with: the reviewer's edits of the call, and the earlier call it repeats. */
export function Compared({ approval, secrets }: ComparedProps): ReactNode {
  return (
    <>
      <Edited approval={approval} secrets={secrets} />
      {approval.rerunOf !== null && (
        <Section title="Run again">
          <p>
            This repeats a call whose outcome is unknown. If that call ran, it will happen twice. Call ID:{" "}
            <code>{approval.rerunOf}</code>
          </p>
        </Section>
      )}
      {approval.undoOf !== undefined && (
        <Section title="Put back">
          <p>
            A reviewer puts back a file as it was before another call changed it. Call ID:{" "}
            <code>{approval.undoOf}</code>
          </p>
        </Section>
      )}
    </>
  )
}

function revealedIn({ hidden, all }: Secrets): (pointer: string) => boolean {
  return (pointer) => !hidden.has(pointer) && all.some((node) => node.pointer === pointer)
}

function Edited({ approval, secrets }: ComparedProps): ReactNode {
  if (approval.runDigest === approval.callDigest) return null
  const before = exactArguments(approval.args, approval.argsText)
  const after = exactArguments(approval.editedArgs, approval.editedArgsText)
  return (
    <Section title="Edited by a reviewer">
      {before === null || after === null ? (
        <p>The arguments were edited before the call was allowed. They are no longer stored.</p>
      ) : (
        <>
          <p>The arguments below differ from what the agent sent:</p>
          <Differences
            changes={argChanges(before, after)}
            within={after}
            before="sent"
            after="changed to"
            isRevealed={revealedIn(secrets)}
          />
        </>
      )}
    </Section>
  )
}

/** The earlier call that was allowed and is nearly the same. */
export function NearMiss({ approval, secrets }: ComparedProps): ReactNode {
  const differences = approval.nearMiss?.differences ?? []
  if (differences.length === 0) return null
  return (
    <Section title="Similar to an allowed call">
      <p>
        A call of this tool {whereBefore(approval)} was allowed before. This call differs in{" "}
        {differences.length === 1 ? "one value" : `${differences.length} values`}, and in nothing else:
      </p>
      <Differences
        changes={differences.map(({ path, before, after }) => ({
          path,
          ...(before === undefined ? {} : { before }),
          ...(after === undefined ? {} : { after }),
        }))}
        within={shownArguments(approval) ?? {}}
        before="allowed"
        after="requested now"
        isRevealed={revealedIn(secrets)}
      />
    </Section>
  )
}

/** Where nothing tells sessions apart, the earlier call may have been another conversation's, or another agent's. */
function whereBefore({ session, principal }: ApprovalView): string {
  if (session.named) return "in this session"
  return principal.id === "anonymous" ? "by an anonymous agent, possibly another one," : "by this agent"
}
