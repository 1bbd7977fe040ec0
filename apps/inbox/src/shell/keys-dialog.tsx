import { Dialog } from "@byleave/ui"
import { Fragment, type ReactNode, useState } from "react"
import look from "./keys-dialog.module.css"
import { keyHelp } from "./page-keys.ts"
import { usePageKeys } from "./use-page-key.ts"

/** `?` shows all keys. */
export function KeysDialog(): ReactNode {
  const [isOpen, setOpen] = useState(false)
  usePageKeys((key) => {
    if (key === "?") setOpen(true)
    return key === "?"
  })
  return (
    <Dialog open={isOpen} onClose={() => setOpen(false)} title="Keys" lead="No single key makes a decision.">
      <dl className={look.keys}>
        {keyHelp.map(({ keys, does }) => (
          <Fragment key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key} className={look.key}>
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </Fragment>
        ))}
      </dl>
    </Dialog>
  )
}
