import { Menu as Base } from "@base-ui/react/menu"
import type { ReactElement, ReactNode } from "react"
import look from "./menu.module.css"

export type MenuItem = {
  readonly label: string
  /** A second line: what choosing it means. */
  readonly words?: string
  readonly tone?: "plain" | "no"
  readonly disabled?: boolean
  readonly onChoose: () => void
}

type MenuProps = { readonly trigger: ReactElement; readonly items: readonly MenuItem[]; readonly label: string }

/** More ways to answer than fit on a button. `trigger` is the button that opens it. */
export function Menu({ trigger, items, label }: MenuProps): ReactNode {
  return (
    <Base.Root>
      <Base.Trigger render={trigger as ReactElement<Record<string, unknown>>} />
      {/* In the page's main part, where whoever goes by landmarks finds it. */}
      <Base.Portal container={document.querySelector("main") ?? undefined}>
        <Base.Positioner className={look.place} sideOffset={6} align="end">
          <Base.Popup className={look.menu} aria-label={label}>
            {items.map((item) => (
              <Base.Item
                key={item.label}
                className={look.item}
                data-tone={item.tone ?? "plain"}
                disabled={item.disabled ?? false}
                onClick={item.onChoose}
              >
                <span>{item.label}</span>
                {item.words !== undefined && <span className="aside">{item.words}</span>}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
