import { Choice, TextField } from "@byleave/ui"
import type { ReactNode } from "react"
import type { Viewed } from "./permission-address.ts"
import look from "./permission-filters.module.css"
import type { PermissionFilter } from "./tools/permissions-by-server.ts"

/** The two views of the page. */
export const permissionViews = [
  { value: "said", label: "Permissions and rules" },
  { value: "tools", label: "By tool" },
] as const satisfies ReadonlyArray<{ readonly value: Viewed; readonly label: string }>

type PermissionFiltersProps = {
  readonly filter: PermissionFilter
  readonly servers: readonly string[]
  readonly onFilter: (filter: PermissionFilter) => void
}

export function PermissionFilters({ filter, servers, onFilter }: PermissionFiltersProps): ReactNode {
  return (
    <search className={look.filters} aria-label="Filter permissions">
      <TextField
        label="Search"
        type="search"
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
      />
      <Choice
        label="Server"
        value={filter.server}
        options={serverOptions(servers, filter.server)}
        onChange={(event) => onFilter({ ...filter, server: event.currentTarget.value })}
      />
      <Choice
        label="Effect"
        value={filter.effect}
        options={effects}
        onChange={(event) => onFilter({ ...filter, effect: event.currentTarget.value as PermissionFilter["effect"] })}
      />
    </search>
  )
}

/** A server that is no longer there may still be what the address asks for. */
function serverOptions(servers: readonly string[], chosen: string) {
  const all = chosen === "" || servers.includes(chosen) ? servers : [...servers, chosen]
  return [{ value: "", label: "All servers" }, ...all.map((id) => ({ value: id, label: id }))]
}

const effects: ReadonlyArray<{ readonly value: PermissionFilter["effect"]; readonly label: string }> = [
  { value: "", label: "Any" },
  { value: "allow", label: "Allowed" },
  { value: "ask", label: "Needs approval" },
  { value: "deny", label: "Denied" },
  { value: "hide", label: "Hidden" },
]
