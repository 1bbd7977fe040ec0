import type { GrantView, SessionView } from "@byleave/api"
import { grantsDigest } from "@byleave/api/page"
import { Ago, Button, Left, Mark, Sentence, ShownText } from "@byleave/ui"
import type { ReactNode } from "react"
import { useAct } from "../../data/use-act.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import { Row, Rows } from "../places/rows.tsx"
import look from "./session-grants.module.css"

/** Permissions of this session alone, to be revoked one by one or all at once. */
export function SessionGrants({ session }: { readonly session: SessionView }): ReactNode {
  const revoke = useAct("revokeGrant")
  const clear = useAct("clearGrants")
  const { principal, id } = session
  const forgetOne = async (grant: GrantView) =>
    revoke.act({ params: { id: grant.id }, body: { digest: await grantsDigest([grant]) } })
  const forgetAll = async () =>
    clear.act({ body: { session: { principal, id }, digest: await grantsDigest(session.grants) } })
  const forget = (): void => {
    revoke.forget()
    clear.forget()
  }
  return (
    <section className={look.grants}>
      <header className={look.head}>
        <h3>Permissions for this session</h3>
        {session.grants.length > 1 && (
          <Button size="small" tone="quiet" busy={clear.isBusy && "Revoking…"} onClick={() => void forgetAll()}>
            Revoke all {session.grants.length}
          </Button>
        )}
      </header>
      <ProblemNotice problem={revoke.problem ?? clear.problem} onClose={forget} />
      <Rows label="Permissions for this session">
        {session.grants.map((grant) => (
          <Row
            key={grant.id}
            title={<Sentence text={grant.words} />}
            marks={
              <Mark tone={grant.effect === "allow" ? "yes" : "no"}>
                {grant.effect === "allow" ? "Allows" : "Denies"}
              </Mark>
            }
            words={<GrantHistory grant={grant} />}
            actions={
              <Button
                size="small"
                disabled={revoke.isBusy}
                aria-label={`Revoke: ${grant.words}`}
                onClick={() => void forgetOne(grant)}
              >
                Revoke
              </Button>
            }
          />
        ))}
      </Rows>
    </section>
  )
}

function GrantHistory({ grant }: { readonly grant: GrantView }): ReactNode {
  return (
    <>
      By <ShownText text={grant.createdBy} />, <Ago at={grant.createdAt} />
      {grant.lastUsedAt === null ? (
        "; never used"
      ) : (
        <>
          ; used {grant.timesUsed === 1 ? "once" : `${grant.timesUsed} times`}, last <Ago at={grant.lastUsedAt} />
        </>
      )}
      {grant.until !== undefined && (
        <>
          ; <Left until={grant.until} />
        </>
      )}
      {grant.usesLeft !== undefined && `; ${grant.usesLeft} ${grant.usesLeft === 1 ? "use" : "uses"} left`}
    </>
  )
}
