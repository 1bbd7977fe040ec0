import type { TokenView } from "@byleave/api"
import { Ago, Button, Empty, Mark, Sheet, ShownText, useNow } from "@byleave/ui"
import { useNavigate } from "@tanstack/react-router"
import { Bot, Cable, Plus } from "lucide-react"
import { type ReactNode, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { useRead } from "../../data/use-read.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import { Reading } from "../places/reading.tsx"
import { Row, Rows } from "../places/rows.tsx"
import { AddTokenDialog } from "./add-token-dialog.tsx"
import { lastUseWords } from "./last-use-words.ts"
import look from "./settings.module.css"
import { tokenKindWords } from "./token-words.ts"

/** Tokens of agents and programs. */
export function Tokens(): ReactNode {
  const tokens = useRead("listTokens")
  const [isAdding, setAdding] = useState(false)
  const navigate = useNavigate()
  return (
    <Sheet
      title="Agent and program tokens"
      actions={
        <>
          <Button size="small" icon={<Cable />} onClick={() => void navigate({ to: "/connect" })}>
            Connect an agent…
          </Button>
          <Button size="small" icon={<Plus />} onClick={() => setAdding(true)}>
            Add token…
          </Button>
        </>
      }
    >
      <p className={look.lead}>
        A token lets an agent make calls, never decide them, unless it is marked “Conveys decisions”. Rules and records
        refer to the agent by the token's name.
      </p>
      <Reading of={tokens} label="Loading tokens">
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={<Bot />} title="No tokens">
              Agents that connect over HTTP need one. Servers wrapped with “byleave wrap” do not.
            </Empty>
          ) : (
            <Rows label="Agent and program tokens">
              {items.map((token) => (
                <Token key={token.id} token={token} />
              ))}
            </Rows>
          )
        }
      </Reading>
      {isAdding && <AddTokenDialog onClose={() => setAdding(false)} />}
    </Sheet>
  )
}

function Token({ token }: { readonly token: TokenView }): ReactNode {
  const [isSure, setSure] = useState(false)
  const revoke = useAct("revokeToken")
  const now = useNow(60_000)
  return (
    <>
      <Row
        title={<ShownText text={token.id} />}
        marks={
          <>
            <Mark>{tokenKindWords[token.kind].label}</Mark>
            {token.conveysDecisions && <Mark>Conveys decisions</Mark>}
            {token.namesSessions && <Mark>Names sessions</Mark>}
          </>
        }
        words={
          <>
            {token.owner !== null && (
              <>
                Owned by <ShownText text={token.owner} />, who cannot approve its calls.{" "}
              </>
            )}
            Created <Ago at={token.createdAt} />
            {token.createdBy !== null && (
              <>
                {" by "}
                <ShownText text={token.createdBy} />
              </>
            )}
            ; {lastUseWords(token.lastUsedAt, now)}
            {isSure && ". Once revoked, it stops working immediately and the agent's calls are rejected."}
          </>
        }
        actions={
          isSure ? (
            <>
              <Button size="small" onClick={() => setSure(false)}>
                Cancel
              </Button>
              <Button
                size="small"
                tone="no"
                busy={revoke.isBusy && "Revoking…"}
                aria-label={`Revoke ${token.id} now`}
                onClick={() => void revoke.act({ params: { id: token.id } })}
              >
                Revoke now
              </Button>
            </>
          ) : (
            <Button size="small" tone="no" aria-label={`Revoke ${token.id}`} onClick={() => setSure(true)}>
              Revoke…
            </Button>
          )
        }
      />
      {revoke.problem !== null && (
        <li>
          <ProblemNotice problem={revoke.problem} onClose={revoke.forget} />
        </li>
      )}
    </>
  )
}
