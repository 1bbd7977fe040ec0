import { Notice } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useRead } from "../../data/use-read.ts"

/** Where servers are missing: a change of the configuration may wait for approval, and theirs with it. */
export function ChangeWaits(): ReactNode {
  const policy = useRead("getPolicyText")
  if (policy.state !== "ready" || policy.value.waiting === null) return null
  return (
    <Notice tone="wait" title="A configuration change needs your approval">
      Servers that it adds are available once you allow it.{" "}
      <Link to="/" search={{ open: policy.value.waiting }}>
        Review change
      </Link>
    </Notice>
  )
}
