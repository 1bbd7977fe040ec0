import { Button, Choice, ShownText, TextField } from "@byleave/ui"
import { ListFilter, X } from "lucide-react"
import { type FormEvent, type ReactNode, useId, useState } from "react"
import { useRead } from "../../data/use-read.ts"
import {
  type ActivityFilters,
  answerWords,
  chipsOf,
  dayOf,
  dayStart,
  lastChoices,
  readFilters,
  without,
} from "./activity-filters.ts"
import { CallSearch } from "./call-search.tsx"
import { effectLabels, outcomeSaid, refusalCodes, refusalInWords } from "./call-words.ts"
import look from "./filter-bar.module.css"

type FilterBarProps = { readonly filters: ActivityFilters; readonly onShow: (filters: ActivityFilters) => void }

const anyOf = (label: string, rest: readonly { readonly value: string; readonly label: string }[]) => [
  { value: "", label },
  ...rest,
]
const effects = anyOf(
  "Any decision",
  Object.entries(effectLabels).map(([value, label]) => ({ value, label })),
)
/** Denied is denied, whether a person or the policy said so. */
const deniedBy = "denied,refused"
const outcomes = anyOf(
  "Any outcome",
  Object.entries(outcomeSaid)
    .filter(([value]) => value !== "refused")
    .map(([value, { words }]) => ({ value: value === "denied" ? deniedBy : value, label: words })),
)
const answers = anyOf(
  "Any review",
  Object.entries(answerWords).map(([value, label]) => ({ value, label })),
)
const codes = anyOf(
  "Any reason",
  refusalCodes.map((value) => ({ value, label: refusalInWords(value) })),
)
const times = anyOf(
  "Any time",
  lastChoices.map(({ value, label }) => ({ value: String(value), label })),
)

/** The filters of the list: a search box, a chip for each filter in use, and a form for more. */
export function FilterBar({ filters, onShow }: FilterBarProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const formId = useId()
  const chips = chipsOf(filters)
  return (
    <section className={look.bar} aria-label="Filters">
      <div className={look.find}>
        <CallSearch filters={filters} onShow={onShow} />
        <Button icon={<ListFilter />} aria-expanded={isOpen} aria-controls={formId} onClick={() => setOpen(!isOpen)}>
          Filter
        </Button>
      </div>
      <div className={look.chips}>
        {chips.map((chip) => (
          <Button
            key={chip.label}
            size="small"
            tone="quiet"
            aria-label={`Remove filter ${chip.label}: ${chip.value}`}
            onClick={() => onShow(without(filters, chip.names))}
          >
            <span className={look.chip}>
              <span className="soft">{`${chip.label}: `}</span>
              <ShownText text={chip.value} />
            </span>
            <X className={look.cross} aria-hidden="true" />
          </Button>
        ))}
        {chips.length > 1 && (
          <Button size="small" tone="quiet" onClick={() => onShow({})}>
            Clear filters
          </Button>
        )}
      </div>
      <div id={formId} hidden={!isOpen}>
        {isOpen && (
          <FilterForm
            key={JSON.stringify(without(filters, ["text"]))}
            filters={filters}
            onShow={(next) => {
              setOpen(false)
              onShow(next)
            }}
          />
        )}
      </div>
    </section>
  )
}

function FilterForm({ filters, onShow }: FilterBarProps): ReactNode {
  const servers = useRead("listServers")
  const names = servers.state === "ready" ? servers.value.items.map((server) => server.id) : []
  const listId = useId()
  return (
    <form className={look.form} onSubmit={(event) => submit(event, filters, onShow)}>
      <Choice label="Policy" name="effect" options={effects} defaultValue={filters.effect ?? ""} />
      <Choice label="Outcome" name="outcome" options={outcomes} defaultValue={filters.outcome ?? ""} />
      <Choice label="Time" name="last" options={times} defaultValue={String(filters.last ?? "")} />
      <TextField label="From" name="from" type="date" defaultValue={dayOf(filters.since)} />
      <TextField
        label="To"
        name="to"
        type="date"
        defaultValue={dayOf(filters.until === undefined ? undefined : filters.until - 1)}
      />
      <TextField label="Server" name="server" list={listId} defaultValue={filters.server ?? ""} autoComplete="off" />
      <datalist id={listId}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextField label="Tool" name="tool" defaultValue={filters.tool ?? ""} autoComplete="off" />
      <TextField label="Agent" name="principal" defaultValue={filters.principal ?? ""} autoComplete="off" />
      <TextField label="Session" name="session" defaultValue={filters.session ?? ""} autoComplete="off" />
      <TextField label="Decided by" name="decidedBy" defaultValue={filters.decidedBy ?? ""} autoComplete="off" />
      <Choice label="Review" name="answer" options={answers} defaultValue={filters.answer ?? ""} />
      <Choice label="Reason not run" name="code" options={codes} defaultValue={filters.code ?? ""} />
      <div className={look.actions}>
        <button type="submit" className={look.submit}>
          Apply filters
        </button>
      </div>
    </form>
  )
}

function submit(
  event: FormEvent<HTMLFormElement>,
  filters: ActivityFilters,
  onShow: (filters: ActivityFilters) => void,
): void {
  event.preventDefault()
  const { from, to, ...said } = Object.fromEntries(
    [...new FormData(event.currentTarget)].flatMap(([name, value]) => (value === "" ? [] : [[name, String(value)]])),
  )
  const { text, decidedFromMs, decidedToMs } = filters
  onShow(
    readFilters({
      text,
      decidedFromMs,
      decidedToMs,
      ...said,
      ...(said.last === undefined ? span(filters, from, to) : {}),
    }),
  )
}

/** Whole days; a time of day that a link has set stays while its day does. */
function span(filters: ActivityFilters, from: string | undefined, to: string | undefined) {
  const since = from === undefined ? null : from === dayOf(filters.since) ? (filters.since ?? null) : dayStart(from)
  const last = filters.until === undefined ? undefined : filters.until - 1
  const until = to === undefined ? null : to === dayOf(last) ? (filters.until ?? null) : dayStart(to, 1)
  return { ...(since === null ? {} : { since }), ...(until === null ? {} : { until }) }
}
