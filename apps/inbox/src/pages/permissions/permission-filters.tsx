import { Choice, TextField } from "@byleave/ui"
import type { ReactNode } from "react"
import look from "./permission-filters.module.css"
import type { PermissionFilter } from "./permissions-by-server.ts"

/** What is said (remembered and written), or what would happen now. */
export type Viewed = "said" | "now"

export function ViewSwitch({
  viewed,
  onView,
}: {
  readonly viewed: Viewed
  readonly onView: (viewed: Viewed) => void
}): ReactNode {
  return (
    <fieldset className={look.switch} aria-label="What to show">
      {views.map(({ view, label }) => (
        <button key={view} type="button" aria-pressed={viewed === view} onClick={() => onView(view)}>
          {label}
        </button>
      ))}
    </fieldset>
  )
}

const views = [
  { view: "said", label: "Answers and rules" },
  { view: "now", label: "What would happen now" },
] as const

type PermissionFiltersProps = {
  readonly filter: PermissionFilter
  readonly servers: readonly string[]
  readonly onFilter: (filter: PermissionFilter) => void
}

export function PermissionFilters({ filter, servers, onFilter }: PermissionFiltersProps): ReactNode {
  return (
    <search className={look.filters} aria-label="Filter permissions">
      <TextField
        label="Find"
        type="search"
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.currentTarget.value })}
      />
      <Choice
        label="Server"
        value={filter.server}
        options={[{ value: "", label: "All servers" }, ...servers.map((id) => ({ value: id, label: id }))]}
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

const effects: ReadonlyArray<{ readonly value: PermissionFilter["effect"]; readonly label: string }> = [
  { value: "", label: "Any" },
  { value: "allow", label: "Allowed" },
  { value: "ask", label: "Asked" },
  { value: "deny", label: "Denied" },
  { value: "hide", label: "Hidden" },
]
