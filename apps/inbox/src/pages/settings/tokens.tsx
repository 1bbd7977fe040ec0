import type { TokenView } from "@byleave/api"
import { Ago, Button, Empty, Mark, Sheet, ShownText, useNow } from "@byleave/ui"
import { Bot, Plus } from "lucide-react"
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

/** What agents and programs are known by. */
export function Tokens(): ReactNode {
  const tokens = useRead("listTokens")
  const [isAdding, setAdding] = useState(false)
  return (
    <Sheet
      title="Tokens of agents and programs"
      actions={
        <Button size="small" icon={<Plus />} onClick={() => setAdding(true)}>
          Add a token…
        </Button>
      }
    >
      <p className={look.lead}>
        A token lets an agent ask, never decide. Its name is what rules and records call the agent.
      </p>
      <Reading of={tokens} label="Reading the tokens">
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={<Bot />} title="There are no tokens">
              An agent that connects over HTTP needs one. Servers wrapped with “byleave wrap” need none.
            </Empty>
          ) : (
            <Rows label="Tokens of agents and programs">
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
            {token.namesSessions && <Mark>Names sessions</Mark>}
          </>
        }
        words={
          <>
            {token.owner !== null && (
              <>
                Belongs to <ShownText text={token.owner} />, who does not approve its calls.{" "}
              </>
            )}
            Made <Ago at={token.createdAt} />
            {token.createdBy !== null && (
              <>
                {" by "}
                <ShownText text={token.createdBy} />
              </>
            )}
            ; {lastUseWords(token.lastUsedAt, now)}
            {isSure && ". Revoked, it is useless at once, and the agent's calls are refused."}
          </>
        }
        actions={
          isSure ? (
            <>
              <Button size="small" onClick={() => setSure(false)}>
                Keep it
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
