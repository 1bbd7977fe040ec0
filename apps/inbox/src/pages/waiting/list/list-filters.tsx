import { showText } from "@byleave/core"
import { Button, Choice } from "@byleave/ui"
import { Hourglass, SlidersHorizontal, X } from "lucide-react"
import { type ReactNode, type RefObject, useId, useMemo, useState } from "react"
import { SearchBox } from "../../places/search-box.tsx"
import { type CallFilter, filterChoices, isFiltering, noFilter } from "./filter-calls.ts"
import look from "./list-filters.module.css"
import { callOrders } from "./sort-calls.ts"
import type { WaitingList } from "./use-waiting-list.ts"

type ListFiltersProps = {
  readonly filter: CallFilter
  readonly onFilter: (filter: CallFilter) => void
  readonly list: WaitingList
  readonly search: RefObject<HTMLInputElement | null>
}

export function ListFilters({ filter, onFilter, list, search }: ListFiltersProps): ReactNode {
  // Whoever comes by a link sees what the list is narrowed to.
  const [isOpen, setOpen] = useState(
    () => isFiltering({ ...filter, text: "", soon: false }) || filter.sort !== noFilter.sort,
  )
  const id = useId()
  const change = (part: Partial<CallFilter>): void => onFilter({ ...filter, ...part })
  return (
    <search className={look.filters} aria-label="Waiting calls">
      <div className={look.line}>
        <SearchBox
          label="Search waiting calls"
          ref={search}
          placeholder="Search tools, agents, arguments"
          value={filter.text}
          onChange={(event) => change({ text: event.target.value })}
        />
        <button
          type="button"
          className={look.toggle}
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label="More filters"
          onClick={() => setOpen(!isOpen)}
        >
          <SlidersHorizontal aria-hidden="true" />
        </button>
      </div>
      <div id={id} hidden={!isOpen} className={look.more}>
        {isOpen && <MoreFilters filter={filter} change={change} list={list} />}
      </div>
      <div className={look.line}>
        {list.soon > 0 && (
          <button
            type="button"
            className={look.chip}
            aria-pressed={filter.soon}
            onClick={() => change({ soon: !filter.soon })}
          >
            <Hourglass aria-hidden="true" />
            {list.soon === 1 ? "1 expires soon" : `${list.soon} expire soon`}
          </button>
        )}
        {isFiltering(filter) && (
          <Button size="small" tone="quiet" icon={<X />} onClick={() => onFilter({ ...noFilter, sort: filter.sort })}>
            {`${list.matching} of ${list.calls.length} shown. Show all`}
          </Button>
        )}
      </div>
    </search>
  )
}

type MoreFiltersProps = {
  readonly filter: CallFilter
  readonly change: (part: Partial<CallFilter>) => void
  readonly list: WaitingList
}

function MoreFilters({ filter, change, list }: MoreFiltersProps): ReactNode {
  const choices = useMemo(() => filterChoices(list.calls), [list.calls])
  const sessions = [...choices.sessions].map(([value, call]) => ({ value, label: plain(list.nameOf(call)) }))
  const isGone = filter.session !== "" && !choices.sessions.has(filter.session)
  const gone = isGone ? [{ value: filter.session, label: "session without waiting calls" }] : []
  return (
    <>
      <Choice
        label="Server"
        value={filter.server}
        options={asOptions(choices.servers, filter.server)}
        onChange={(event) => change({ server: event.target.value })}
      />
      <Choice
        label="Tool"
        value={filter.tool}
        options={asOptions(choices.tools, filter.tool)}
        onChange={(event) => change({ tool: event.target.value })}
      />
      <Choice
        label="Session"
        value={filter.session}
        options={[any, ...sessions, ...gone]}
        onChange={(event) => change({ session: event.target.value })}
      />
      <Choice
        label="Agent"
        value={filter.principal}
        options={asOptions(choices.principals, filter.principal)}
        onChange={(event) => change({ principal: event.target.value })}
      />
      <Choice
        label="Sort by"
        value={filter.sort}
        options={orderOptions}
        onChange={(event) => change({ sort: callOrders.find((order) => order === event.target.value) ?? "oldest" })}
      />
    </>
  )
}

const orderOptions = [
  { value: "oldest", label: "oldest first" },
  { value: "newest", label: "newest first" },
  { value: "riskiest", label: "riskiest first" },
]

const any = { value: "", label: "any" }

type Option = { readonly value: string; readonly label: string }

/** A chosen value stays a choice, though no call of it waits. */
function asOptions(values: readonly string[], chosen: string): readonly Option[] {
  const all = chosen === "" || values.includes(chosen) ? values : [...values, chosen]
  return [any, ...all.map((value) => ({ value, label: plain(value) }))]
}

/** A choice's words can hold no marks, so what hides is written out. */
function plain(text: string): string {
  return showText(text)
}
