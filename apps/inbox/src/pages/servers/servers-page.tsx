import { asShown, type GrantView, type PinView, type ServerView } from "@byleave/api"
import { Empty, Page } from "@byleave/ui"
import { Server } from "lucide-react"
import { type ReactNode, useMemo } from "react"
import { useRead } from "../../data/use-read.ts"
import { NotRead, Reading } from "../places/reading.tsx"
import { ServerSheet } from "./server-sheet.tsx"

/** The health of a server is no event: it is looked at as often as this. */
const lookEveryMs = 5_000

/** The servers behind the gate. */
export function ServersPage(): ReactNode {
  const servers = useRead("listServers", undefined, { everyMs: lookEveryMs })
  const pins = useRead("listPins", { query: { open: "true" } })
  const grants = useRead("listGrants")
  const items = pins.state === "ready" ? pins.value.items : null
  const open = useMemo(() => (items ?? []).map(asShown), [items])
  return (
    <Page
      title="Servers"
      lead="What your agents' tools come from: whether each server answers, what happens to calls of its tools, and definitions that wait for your look."
    >
      <NotRead of={pins} />
      <NotRead of={grants} />
      <Reading of={servers} label="Reading the servers" lines={6}>
        {({ items }) => (
          <Servers servers={items} open={open} grants={grants.state === "ready" ? grants.value.items : null} />
        )}
      </Reading>
    </Page>
  )
}

type ServersProps = {
  readonly servers: readonly ServerView[]
  readonly open: readonly PinView[]
  readonly grants: readonly GrantView[] | null
}

function Servers({ servers, open, grants }: ServersProps): ReactNode {
  if (servers.length === 0) {
    return (
      <Empty icon={<Server />} title="There is no server yet">
        Servers are named in Byleave's configuration file, byleave.yaml, under “servers”. Servers that a client starts
        by itself with “byleave wrap” appear here once they have told their tools.
      </Empty>
    )
  }
  return servers.map((server) => (
    <ServerSheet
      key={server.id}
      server={server}
      open={open.filter((pin) => pin.server === server.id)}
      grants={grants}
    />
  ))
}
