import { asShown, type GrantView, type PinView, type ServerView } from "@byleave/api"
import { Empty, Page } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import { Server } from "lucide-react"
import { type ReactNode, useMemo } from "react"
import { useRead } from "../../data/use-read.ts"
import { ChangeWaits } from "../connect/change-waits.tsx"
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
      lead="The MCP servers your agents use: their status, how calls are handled, and definitions to review."
    >
      <NotRead of={pins} />
      <NotRead of={grants} />
      <Reading of={servers} label="Loading servers" lines={6}>
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
      <>
        <ChangeWaits />
        <Empty icon={<Server />} title="No servers yet">
          Add servers to Byleave's configuration file, byleave.yaml, under “servers”. Servers that a client starts with
          “byleave wrap” appear here once they have listed their tools. <Link to="/connect">Connect an agent</Link>
        </Empty>
      </>
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
