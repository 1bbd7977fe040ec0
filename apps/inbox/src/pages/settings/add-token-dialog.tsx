import type { NewToken } from "@byleave/api"
import { Button, Choice, Dialog, TextField, Tick } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { useRead } from "../../data/use-read.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import { RadioCards } from "../places/radio-cards.tsx"
import { NewTokenDialog } from "./new-token-dialog.tsx"
import { tokenKindWords } from "./token-words.ts"

const kinds = ["agent", "gate"] as const
const nobody = ""

/** Makes a token. Its secret is told in the next step, once. */
export function AddTokenDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [id, setId] = useState("")
  const [kind, setKind] = useState<(typeof kinds)[number]>("agent")
  const [owner, setOwner] = useState(nobody)
  const [namesSessions, setNamesSessions] = useState(false)
  const [made, setMade] = useState<NewToken | null>(null)
  const people = useRead("listReviewers")
  const add = useAct("addToken")
  const finish = async (): Promise<void> => {
    const body = { id: id.trim(), kind, namesSessions, ...(owner === nobody ? {} : { owner }) }
    const added = await add.act({ body })
    if (added.ok) setMade(added.value)
  }
  if (made !== null) return <NewTokenDialog made={made} onClose={onClose} />
  return (
    <Dialog
      open
      onClose={onClose}
      title="Add a token"
      lead="Give each agent its own, so that records tell them apart and one can be revoked alone."
      actions={
        <>
          <Button onClick={onClose}>Add none</Button>
          <Button disabled={id.trim() === ""} busy={add.isBusy && "Making it…"} onClick={() => void finish()}>
            Make the token
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        hint="Such as laptop or ci. Letters, digits, and . _ @ - after the first."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        value={id}
        onChange={(event) => setId(event.currentTarget.value)}
      />
      <RadioCards
        legend="Who will use it"
        value={kind}
        onChoose={setKind}
        cards={kinds.map((value) => ({ value, ...tokenKindWords[value] }))}
      />
      <Choice
        label="Belongs to"
        hint="That person does not approve what is called under it, unless your policy says so."
        value={owner}
        options={[
          { value: nobody, label: "Nobody in particular" },
          ...(people.state === "ready"
            ? people.value.items.map((person) => ({ value: person.id, label: person.name }))
            : []),
        ]}
        onChange={(event) => setOwner(event.currentTarget.value)}
      />
      <Tick
        label="It may say which session a call belongs to"
        words="For hosts with several chats. Give it only to what you trust to tell them apart."
        checked={namesSessions}
        onChange={(event) => setNamesSessions(event.currentTarget.checked)}
      />
      <ProblemNotice problem={add.problem} />
    </Dialog>
  )
}
