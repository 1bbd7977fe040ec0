import { Palette } from "@byleave/ui/palette"
import { useRouter } from "@tanstack/react-router"
import { type ReactNode, useMemo, useState } from "react"
import { useWaitingCalls } from "../data/live/live.tsx"
import { useRead } from "../data/use-read.ts"
import { useTheme } from "../shell/theme.ts"
import { type PaletteEntry, paletteGroups } from "./palette-groups.ts"

/** Finds pages, waiting calls, sessions and servers by a few letters. */
export function CommandPalette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [query, setQuery] = useState("")
  const router = useRouter()
  const [, chooseTheme] = useTheme()
  const { calls } = useWaitingCalls()
  const sessions = useRead("listSessions")
  const servers = useRead("listServers")
  const groups = useMemo(
    () =>
      paletteGroups(query, {
        calls,
        sessions: sessions.state === "ready" ? sessions.value.items : [],
        servers: servers.state === "ready" ? servers.value.items : [],
      }),
    [query, calls, sessions, servers],
  )
  const choose = (entry: PaletteEntry): void => {
    onClose()
    if ("theme" in entry) chooseTheme(entry.theme)
    else router.history.push(entry.to)
  }
  return (
    <Palette
      label="Search or jump to…"
      groups={groups}
      query={query}
      onQuery={setQuery}
      onChoose={choose}
      onClose={onClose}
    />
  )
}
