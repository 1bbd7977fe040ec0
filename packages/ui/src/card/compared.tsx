import type { ApprovalView } from "@byleave/api"
import type { ReactNode } from "react"
import { argChanges } from "./arg-changes.ts"
import { exactArgs } from "./arg-tree.ts"
import { Differences } from "./differences.tsx"
import type { Secrets } from "./secrets.ts"
import { Section } from "./section.tsx"

/** How a call relates to others: what a reviewer changed in it, what was allowed before and is nearly the same, what it repeats. */
export function Compared({
  approval,
  secrets,
}: {
  readonly approval: ApprovalView
  readonly secrets: Secrets
}): ReactNode {
  const isRevealed = (pointer: string): boolean =>
    !secrets.hidden.has(pointer) && secrets.all.some((node) => node.pointer === pointer)
  return (
    <>
      <Edited approval={approval} isRevealed={isRevealed} />
      <NearMiss approval={approval} isRevealed={isRevealed} />
      {approval.rerunOf !== null && (
        <Section title="Run again">
          <p>
            This repeats a call of which nobody could tell whether it was carried out. If it was, it will happen twice.
            Its number: <code>{approval.rerunOf}</code>
          </p>
        </Section>
      )}
    </>
  )
}

type SideProps = { readonly approval: ApprovalView; readonly isRevealed: (pointer: string) => boolean }

function Edited({ approval, isRevealed }: SideProps): ReactNode {
  if (approval.runDigest === approval.callDigest) return null
  const before = exactArgs(approval.args, approval.argsText)
  const after = exactArgs(approval.editedArgs, approval.editedArgsText)
  return (
    <Section title="Changed by a reviewer">
      {before === null || after === null ? (
        <p>The arguments were changed before the call was allowed. They are no longer kept.</p>
      ) : (
        <>
          <p>The arguments below are not the ones the agent sent. They differ here:</p>
          <Differences changes={argChanges(before, after)} before="sent" after="changed to" isRevealed={isRevealed} />
        </>
      )}
    </Section>
  )
}

function NearMiss({ approval, isRevealed }: SideProps): ReactNode {
  const differences = approval.nearMiss?.differences ?? []
  if (differences.length === 0) return null
  return (
    <Section title="Much like one allowed before">
      <p>
        A call of this tool {whereBefore(approval)} was allowed before. This one differs from it in{" "}
        {differences.length === 1 ? "one value" : `${differences.length} values`} and in nothing else:
      </p>
      <Differences
        changes={differences.map(({ path, before, after }) => ({
          path,
          ...(before === undefined ? {} : { before }),
          ...(after === undefined ? {} : { after }),
        }))}
        before="allowed"
        after="asked now"
        isRevealed={isRevealed}
      />
    </Section>
  )
}

/** Where nothing tells sessions apart, the earlier call may have been another conversation's, or another agent's. */
function whereBefore({ session, principal }: ApprovalView): string {
  if (session.named) return "in this session"
  return principal.id === "anonymous" ? "by an anonymous agent, maybe another one," : "by this agent"
}
