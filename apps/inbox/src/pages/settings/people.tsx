import type { MeView, ReviewerView } from "@byleave/api"
import { showText } from "@byleave/core"
import { Ago, Button, Mark, Sheet, ShownText } from "@byleave/ui"
import { UserPlus } from "lucide-react"
import { type ReactNode, useState } from "react"
import { useRead } from "../../data/use-read.ts"
import { Reading } from "../places/reading.tsx"
import { Row, Rows } from "../places/rows.tsx"
import { AddPersonDialog } from "./add-person-dialog.tsx"
import { RemovePersonDialog } from "./remove-person-dialog.tsx"
import look from "./settings.module.css"
import { SignInLinkDialog } from "./sign-in-link-dialog.tsx"

type Open = { readonly what: "nothing" | "add" } | { readonly what: "link" | "remove"; readonly person: ReviewerView }

/** Who may decide here, by name. */
export function People({ me }: { readonly me: MeView }): ReactNode {
  const people = useRead("listReviewers")
  const [open, setOpen] = useState<Open>({ what: "nothing" })
  const close = (): void => setOpen({ what: "nothing" })
  return (
    <Sheet
      title="Reviewers"
      actions={
        <Button size="small" icon={<UserPlus />} onClick={() => setOpen({ what: "add" })}>
          Add reviewer…
        </Button>
      }
    >
      <p className={look.lead}>
        Every decision is recorded with the reviewer's name. Rules can require members of a group.
      </p>
      <Reading of={people} label="Loading reviewers">
        {({ items }) => (
          <Rows label="Reviewers">
            {items.map((person) => (
              <Person
                key={person.id}
                person={person}
                isMe={person.id === me.reviewer.id}
                isLast={items.length === 1}
                onLink={() => setOpen({ what: "link", person })}
                onRemove={() => setOpen({ what: "remove", person })}
              />
            ))}
          </Rows>
        )}
      </Reading>
      {open.what === "add" && (
        <AddPersonDialog
          needsPin={me.presence === "pin"}
          onClose={close}
          onAdded={(person) => setOpen({ what: "link", person })}
        />
      )}
      {open.what === "link" && <SignInLinkDialog reviewer={open.person} onClose={close} />}
      {open.what === "remove" && <RemovePersonDialog person={open.person} onClose={close} />}
    </Sheet>
  )
}

type PersonProps = {
  readonly person: ReviewerView
  readonly isMe: boolean
  readonly isLast: boolean
  readonly onLink: () => void
  readonly onRemove: () => void
}

function Person({ person, isMe, isLast, onLink, onRemove }: PersonProps): ReactNode {
  return (
    <Row
      title={
        <>
          <ShownText text={person.name} /> (<ShownText text={person.id} />)
        </>
      }
      marks={
        <>
          {isMe && <Mark tone="know">You</Mark>}
          {person.groups.map((group) => (
            <Mark key={group}>
              <ShownText text={group} />
            </Mark>
          ))}
          {!person.hasPin && <Mark tone="wait">No PIN</Mark>}
        </>
      }
      words={
        <>
          Added <Ago at={person.createdAt} />
          {person.createdBy !== null && (
            <>
              {" by "}
              <ShownText text={person.createdBy} />
            </>
          )}
        </>
      }
      actions={
        <>
          <Button size="small" aria-label={`Sign-in link for ${showText(person.name)}`} onClick={onLink}>
            Sign-in link…
          </Button>
          <Button
            size="small"
            tone="no"
            disabled={isLast}
            aria-label={`Remove ${showText(person.name)}`}
            onClick={onRemove}
          >
            Remove…
          </Button>
        </>
      }
    />
  )
}
