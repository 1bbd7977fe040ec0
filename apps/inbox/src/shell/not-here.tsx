import { Empty, Page } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"

export function NotHere(): ReactNode {
  return (
    <Page title="Not here">
      <Empty title="There is no page at this address">
        <p>
          <Link to="/">See what waits for you</Link>
        </p>
      </Empty>
    </Page>
  )
}
