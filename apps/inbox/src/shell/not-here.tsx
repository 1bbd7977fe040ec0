import { Empty, Page } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"

export function NotHere(): ReactNode {
  return (
    <Page title="Page not found">
      <Empty title="There is no page at this address">
        <p>
          <Link to="/">Go to waiting calls</Link>
        </p>
      </Empty>
    </Page>
  )
}
