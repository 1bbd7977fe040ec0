import { Loading, Page } from "@byleave/ui"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"
import { useRead } from "../../data/use-read.ts"
import { ReadProblem } from "../places/reading.tsx"
import { SwitchBar } from "../places/switch-bar.tsx"
import { CarryGrants } from "./grants/carry-grants.tsx"
import type { PermissionAddress } from "./permission-address.ts"
import { PermissionFilters, permissionViews } from "./permission-filters.tsx"
import { SaidView } from "./said-view.tsx"
import { EffectiveView } from "./tools/effective-view.tsx"
import { usePermissionAddress } from "./use-permission-address.ts"

/** Everything that is allowed or denied without asking, who said so, and what a call would meet now. */
export function PermissionsPage(): ReactNode {
  const [address, show] = usePermissionAddress()
  return (
    <Page
      title="Permissions"
      lead={
        <>
          Permissions saved from your decisions, and the rules in your <Link to="/policy">policy</Link>. A denial always
          wins.
        </>
      }
      actions={<CarryGrants />}
    >
      <SwitchBar
        label="View"
        value={address.viewed}
        choices={permissionViews}
        onChoose={(viewed) => show({ ...address, viewed })}
      />
      <Permissions address={address} onShow={show} />
    </Page>
  )
}

type PermissionsProps = {
  readonly address: PermissionAddress
  readonly onShow: (address: PermissionAddress) => void
}

function Permissions({ address, onShow }: PermissionsProps): ReactNode {
  const { viewed, filter } = address
  const grants = useRead("listGrants")
  const policy = useRead("getPolicy")
  const servers = useRead("listServers")
  const sessions = useRead("listSessions")
  for (const read of [grants, policy, servers]) {
    if (read.state === "problem") return <ReadProblem problem={read.problem} again={read.again} />
  }
  if (grants.state !== "ready" || policy.state !== "ready" || servers.state !== "ready") {
    return <Loading label="Loading permissions" lines={6} />
  }
  const items = servers.value.items
  return (
    <>
      <PermissionFilters
        filter={filter}
        servers={items.map(({ id }) => id)}
        onFilter={(next) => onShow({ ...address, filter: next })}
      />
      {viewed === "tools" ? (
        <EffectiveView servers={items} grants={grants.value.items} policy={policy.value} filter={filter} />
      ) : (
        <SaidView
          grants={grants.value.items}
          policy={policy.value}
          servers={items}
          sessions={sessions.state === "ready" ? sessions.value.items : []}
          filter={filter}
        />
      )}
    </>
  )
}
