import type { NewToken } from "@byleave/api"
import { Button, Notice, ShownText, TextField } from "@byleave/ui"
import { KeyRound } from "lucide-react"
import { type ReactNode, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { useRead } from "../../data/use-read.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import look from "./connect-page.module.css"
import { freeName } from "./free-name.ts"

type TokenFieldProps = {
  readonly suggested: string
  readonly made: NewToken | null
  readonly onMade: (made: NewToken) => void
}

/** Makes the agent's token, under a name that is still free. Its secret is filled into the configuration, and is nowhere else. */
export function TokenField({ suggested, made, onMade }: TokenFieldProps): ReactNode {
  const [typed, setTyped] = useState<string | null>(null)
  const tokens = useRead("listTokens")
  const me = useRead("me")
  const add = useAct("addToken")
  if (made !== null) {
    return (
      <Notice tone="yes" title="Token created">
        The token <ShownText text={made.token.id} /> is in the configuration. Copy it now: it is shown only once.
      </Notice>
    )
  }
  if (me.state === "ready" && !me.value.present) {
    return (
      <Notice tone="wait" title="Creating a token requires your PIN">
        This browser was signed in without it. Sign in again with a link from “byleave open” and your PIN, or run{" "}
        <code>byleave tokens add {suggested}</code> in a terminal.
      </Notice>
    )
  }
  const taken = new Set(tokens.state === "ready" ? tokens.value.items.map(({ id }) => id) : [])
  const name = typed ?? freeName(suggested, taken)
  const make = async (): Promise<void> => {
    const added = await add.act({ body: { id: name.trim(), kind: "agent", namesSessions: false } })
    if (added.ok) onMade(added.value)
  }
  return (
    <>
      <div className={look.token}>
        <TextField
          label="Token name"
          hint="Rules and records call the agent by this name."
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={64}
          value={name}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button
          icon={<KeyRound />}
          disabled={name.trim() === "" || me.state !== "ready"}
          busy={add.isBusy && "Creating…"}
          onClick={() => void make()}
        >
          Create token
        </Button>
      </div>
      <ProblemNotice problem={add.problem} />
    </>
  )
}
