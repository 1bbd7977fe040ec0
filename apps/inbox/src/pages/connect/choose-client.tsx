import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import look from "./choose-client.module.css"
import { clientSetups } from "./client-setups.ts"

/** The clients there is a setup for, as a row of ways to go. `chosen` is where one is. */
export function ChooseClient({ chosen }: { readonly chosen: string | null }): ReactNode {
  return (
    <nav className={look.choice} aria-label="Client">
      <ul className={look.clients}>
        {clientSetups.map(({ id, title }) => (
          <li key={id}>
            <Link
              className={look.client}
              to="/connect"
              search={{ client: id } as never}
              replace={chosen !== null}
              resetScroll={chosen === null}
              aria-current={id === chosen ? "true" : undefined}
              data-chosen={id === chosen}
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
