import type { NewToken } from "@byleave/api"
import { Choice, TextField, Tick } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { useRead } from "../../data/use-read.ts"
import { ConfirmDialog } from "../places/confirm-dialog.tsx"
import { RadioCards } from "../places/radio-cards.tsx"
import { NewTokenDialog } from "./new-token-dialog.tsx"
import { tokenKindWords } from "./token-words.ts"

const kinds = ["agent", "gate", "runner"] as const
const nobody = ""

/** Makes a token. Its secret is told in the next step, once. */
export function AddTokenDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [id, setId] = useState("")
  const [kind, setKind] = useState<(typeof kinds)[number]>("agent")
  const [owner, setOwner] = useState(nobody)
  const [namesSessions, setNamesSessions] = useState(false)
  const [conveysDecisions, setConveysDecisions] = useState(false)
  const [made, setMade] = useState<NewToken | null>(null)
  const people = useRead("listReviewers")
  const add = useAct("addToken")
  const finish = async (): Promise<void> => {
    const ofKind =
      kind === "runner"
        ? { namesSessions: false, conveysDecisions }
        : { namesSessions, ...(owner === nobody ? {} : { owner }) }
    const added = await add.act({ body: { id: id.trim(), kind, ...ofKind } })
    if (added.ok) setMade(added.value)
  }
  if (made !== null) return <NewTokenDialog made={made} onClose={onClose} />
  return (
    <ConfirmDialog
      title="Add token"
      lead="Give each agent its own token, so you can tell agents apart in records and revoke one at a time."
      confirm="Create token"
      busyWords="Creating…"
      disabled={id.trim() === ""}
      act={add}
      onConfirm={() => void finish()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Such as laptop or ci. Letters and digits, then also . _ @ -"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        value={id}
        onChange={(event) => setId(event.currentTarget.value)}
      />
      <RadioCards
        legend="Used by"
        value={kind}
        onChoose={setKind}
        cards={kinds.map((value) => ({ value, ...tokenKindWords[value] }))}
      />
      {kind === "runner" ? (
        <Tick
          label="Conveys decisions"
          words="Its yes to calls of its own runs counts, where your policy lets it. Only for programs that show each call to a person and pass on what they say."
          checked={conveysDecisions}
          onChange={(event) => setConveysDecisions(event.currentTarget.checked)}
        />
      ) : (
        <>
          <Choice
            label="Owner"
            hint="The owner cannot approve calls made with this token, unless your policy allows it."
            value={owner}
            options={[
              { value: nobody, label: "No owner" },
              ...(people.state === "ready"
                ? people.value.items.map((person) => ({ value: person.id, label: person.name }))
                : []),
            ]}
            onChange={(event) => setOwner(event.currentTarget.value)}
          />
          <Tick
            label="Can name sessions"
            words="For apps with several chats. Only for programs you trust to report sessions correctly."
            checked={namesSessions}
            onChange={(event) => setNamesSessions(event.currentTarget.checked)}
          />
        </>
      )}
    </ConfirmDialog>
  )
}
