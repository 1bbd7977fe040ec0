import { ShownName, TheirWords } from "@byleave/ui"
import { type ReactNode, useEffect, useState } from "react"
import { followHealth, healthOf, type KeptHealth } from "../settings/server-health.ts"
import look from "./server-badge.module.css"

/** The server that a call goes to: its picture, or its first letter, and its name. */
export function ServerBadge({
  server,
  kind,
}: {
  readonly server: string
  readonly kind: "standalone" | "paired"
}): ReactNode {
  const health = useHealth(kind === "standalone" ? server : null)
  const title = health?.title ?? null
  return (
    <p className={look.badge}>
      {health?.icon == null ? (
        <span className={look.letter} aria-hidden="true">
          {server.slice(0, 1).toUpperCase()}
        </span>
      ) : (
        <img className={look.icon} src={health.icon} alt="" width={20} height={20} />
      )}
      <strong>
        <ShownName text={server} />
      </strong>
      {title !== null && title !== server && (
        <span className="aside one-line">
          calls itself <TheirWords text={title} />
        </span>
      )}
    </p>
  )
}

function useHealth(server: string | null): KeptHealth | null {
  const [health, setHealth] = useState<KeptHealth | null>(null)
  useEffect(() => {
    if (server === null) return
    let isOver = false
    const read = (): void => void healthOf(server).then((found) => !isOver && setHealth(found))
    read()
    const stop = followHealth(read)
    return () => {
      isOver = true
      stop()
    }
  }, [server])
  return health
}
