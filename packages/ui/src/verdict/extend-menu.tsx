import type { ApprovalView } from "@byleave/api"
import { Clock } from "lucide-react"
import type { ReactNode } from "react"
import { Button } from "../parts/button.tsx"
import { Menu } from "../parts/menu.tsx"
import { useNow } from "../parts/time.tsx"
import { extendChoices } from "./extend-choices.ts"
import type { CardActions } from "./verdict.ts"

type ExtendMenuProps = {
  readonly approval: ApprovalView
  readonly actions: Pick<CardActions, "onExtend">
  readonly isBusy?: boolean
}

/** Lets a call wait longer. One that never expires, or waits no more, has nothing to extend. */
export function ExtendMenu({ approval, actions, isBusy = false }: ExtendMenuProps): ReactNode {
  const now = useNow(60_000)
  if (approval.status !== "pending" || approval.expiresAt === null) return null
  return (
    <Menu
      label="New deadline"
      trigger={
        <Button size="small" tone="quiet" busy={isBusy && "Extending…"} icon={<Clock />}>
          Extend deadline
        </Button>
      }
      items={extendChoices(approval.expiresAt, now).map(({ label, words, until }) => ({
        label,
        words,
        onChoose: () => actions.onExtend(approval, until),
      }))}
    />
  )
}
