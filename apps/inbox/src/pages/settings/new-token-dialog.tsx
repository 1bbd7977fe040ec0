import type { NewToken } from "@byleave/api"
import { Button, CopyButton, Dialog, Notice, ShownText } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import look from "./settings.module.css"

type NewTokenDialogProps = { readonly made: NewToken; readonly onClose: () => void }

/** The one time a secret is shown. It is in no other place of the page, and gone when this closes; a slip of the hand does not close it. */
export function NewTokenDialog({ made, onClose }: NewTokenDialogProps): ReactNode {
  const [isCopied, setCopied] = useState(false)
  const [isWarned, setWarned] = useState(false)
  const leave = (): void => (isCopied || isWarned ? onClose() : setWarned(true))
  return (
    <Dialog
      open
      onClose={leave}
      title="Token created"
      lead={
        <>
          The secret for <ShownText text={made.token.id} />. It is shown only once; Byleave stores only a hash of it.
        </>
      }
      actions={<Button onClick={onClose}>I have stored it</Button>}
    >
      <code className={look.secret}>{made.secret}</code>
      <div className={look.line}>
        <CopyButton text={made.secret} what="secret" onCopied={() => setCopied(true)} />
      </div>
      {isWarned && !isCopied && (
        <Notice tone="wait">
          You have not copied it, and it will not be shown again. Press “I have stored it” if you saved it elsewhere.
        </Notice>
      )}
      <Where kind={made.token.kind} />
    </Dialog>
  )
}

function Where({ kind }: { readonly kind: NewToken["token"]["kind"] }): ReactNode {
  if (kind !== "agent")
    return <p>Give it to the program as its Byleave token, preferably in an environment variable.</p>
  return (
    <p>
      The client sends it with every request in the header <code>Authorization: Bearer …</code>, preferably from an
      environment variable such as <code>BYLEAVE_TOKEN</code>. “Connect an agent” shows the configuration of each
      client.
    </p>
  )
}
