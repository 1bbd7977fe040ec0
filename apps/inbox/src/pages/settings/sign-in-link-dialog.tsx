import type { NewLink, ReviewerView } from "@byleave/api"
import { Button, CopyButton, Dialog, Left, Notice, ShownText, useNow } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useAct } from "../../data/use-act.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import look from "./settings.module.css"

type SignInLinkDialogProps = { readonly reviewer: ReviewerView; readonly onClose: () => void }

/** A link that signs one browser in, once, within minutes, together with that person's PIN. */
export function SignInLinkDialog({ reviewer, onClose }: SignInLinkDialogProps): ReactNode {
  const [link, setLink] = useState<NewLink | null>(null)
  const mint = useAct("mintLink")
  const make = async (): Promise<void> => {
    const made = await mint.act({ body: { reviewer: reviewer.id } })
    if (made.ok) setLink(made.value)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Sign in another browser"
      lead={
        <>
          A link to sign in one browser for <ShownText text={reviewer.name} />. It works once, for ten minutes
          {reviewer.hasPin ? ", and asks for their PIN." : "."}
        </>
      }
      actions={
        link === null ? (
          <Button busy={mint.isBusy && "Creating…"} onClick={() => void make()}>
            Create link
          </Button>
        ) : (
          <Button onClick={onClose}>Done</Button>
        )
      }
    >
      {link === null ? (
        <p>
          Whoever has the link{reviewer.hasPin ? " and the PIN" : ""} can decide here. Send it through a channel you
          trust.
        </p>
      ) : (
        <MadeLink link={link} />
      )}
      <ProblemNotice problem={mint.problem} />
    </Dialog>
  )
}

function MadeLink({ link }: { readonly link: NewLink }): ReactNode {
  const now = useNow()
  if (link.expiresAt <= now)
    return <Notice tone="wait">This link has expired. Close this dialog and create another.</Notice>
  // By the address this page has itself: people sign in where it is reached.
  const address = new URL(`/sign-in#${encodeURIComponent(link.link)}`, location.origin).href
  return (
    <>
      <code className={look.secret}>{address}</code>
      <div className={look.line}>
        <CopyButton text={address} what="link" />
        <Left until={link.expiresAt} />
      </div>
    </>
  )
}
