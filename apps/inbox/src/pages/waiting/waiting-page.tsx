import { BatchBar, Button, Empty, Loading, Notice } from "@byleave/ui"
import { useRouter } from "@tanstack/react-router"
import { SearchX } from "lucide-react"
import { lazy, type ReactNode, Suspense, useMemo, useRef, useState } from "react"
import { useClient } from "../../data/client.tsx"
import { useLive, useWaitingCalls } from "../../data/live/live.tsx"
import { summaryOfView } from "../../data/live/summary-of-view.ts"
import type { WaitingCall } from "../../data/live/waiting-table.ts"
import { callLoader, currentLoader } from "../../data/load-calls.ts"
import { useNextSetting } from "../../data/undo-setting.ts"
import { useRead } from "../../data/use-read.ts"
import { fetching } from "../../shell/page-not-loaded.ts"
import { useToast } from "../../shell/toast.tsx"
import { NotRunCalls } from "./answer/not-run-calls.tsx"
import { rowAnswer } from "./answer/row-answer.ts"
import { SettledCalls } from "./answer/settled-calls.tsx"
import { useBatch } from "./answer/use-batch.ts"
import { useVerdicts } from "./answer/use-verdicts.ts"
import { CallList } from "./list/call-list.tsx"
import { isFiltering, noFilter } from "./list/filter-calls.ts"
import { nothingFolded, toggledFold, toggledKey, unfoldedFor } from "./list/fold-lines.ts"
import { ListFilters } from "./list/list-filters.tsx"
import { neighbour, nextToOpen } from "./list/neighbour.ts"
import { nothingSelected, type Selection, stillWaiting, toggled, toggledAll } from "./list/selection.ts"
import { useListAddress } from "./list/use-list-address.ts"
import { useListKeys } from "./list/use-list-keys.ts"
import { useWaitingList, type WaitingList } from "./list/use-waiting-list.ts"
import { NothingWaits } from "./nothing-waits.tsx"
import look from "./waiting-page.module.css"

// The list comes first: the card, with everything it can show and ask, is loaded while people read it.
const OpenCard = lazy(fetching(async () => ({ default: (await import("./open-card.tsx")).OpenCard })))

/** The list of waiting calls, with the open one beside it. */
export function WaitingPage(): ReactNode {
  const { openId, setOpen, filter, setFilter } = useListAddress()
  const [at, setAt] = useState<string | null>(openId)
  const [focusTurn, setFocusTurn] = useState(0)
  const [cardTurn, setCardTurn] = useState(0)
  const search = useRef<HTMLInputElement>(null)
  const read = useRead("getApproval", { params: { id: openId ?? "" } }, { enabled: openId !== null })
  const opened = openId !== null && read.state === "ready" ? read.value : null
  const kept = useMemo(() => (opened === null ? null : summaryOfView(opened)), [opened])
  const client = useClient()
  const loadCalls = useMemo(() => callLoader(client), [client])
  const loadCurrent = useMemo(() => currentLoader(client), [client])
  const [folded, setFolded] = useState(nothingFolded)
  const list = useWaitingList(filter, kept, folded)
  const [opensNext] = useNextSetting()
  const say = useToast()
  const router = useRouter()
  const verdicts = useVerdicts((id, kind) => {
    const path = router.state.location.pathname
    const next = opensNext ? nextToOpen({ id, openId, path }, list.shown) : null
    if (next === null) return
    say({ title: kind === "approve" ? "Allowed" : "Denied", words: "The next waiting call is open." })
    open(next)
  })
  const [selection, setSelection] = useSelection(list)
  const batch = useBatch(() => setSelection(nothingSelected))
  const { ids } = list
  const hasNext = list.shown.some(({ id, status }) => status === "pending" && id !== openId)
  const isEmpty = list.lines.length === 0 && list.calls.length === 0 && openId === null && batch.answers === null

  const open = (id: string): void => {
    setFolded(unfoldedFor(list.allLines, folded, id))
    setAt(id)
    setOpen(id)
    setCardTurn((turn) => turn + 1)
  }
  const goOn = (): void => {
    const next = neighbour(list.shown, openId)
    if (next !== null) open(next)
  }
  const close = (): void => {
    setOpen(null)
    setFocusTurn((turn) => turn + 1)
  }
  const tick = (some: readonly string[], range: boolean): void => {
    const [first] = some
    if (some.length === 1 && first !== undefined) {
      setAt(first)
      setSelection(toggled(selection, first, ids, range))
    } else setSelection(toggledAll(selection, some))
  }
  useListKeys({
    ids,
    order: list.shown.map(({ id }) => id),
    at: at ?? openId,
    openId,
    onAt: (id) => {
      setAt(id)
      setFocusTurn((turn) => turn + 1)
      if (openId !== null) setOpen(id)
    },
    onOpen: open,
    onTick: (id) => tick([id], false),
    onFold: (id) => {
      setAt(id)
      setFolded(toggledFold(list.allLines, folded, id))
      setFocusTurn((turn) => turn + 1)
    },
    onClose: close,
    search,
  })

  const chosen = selection.ids.size === 0 ? none : list.shown.filter(({ id }) => selection.ids.has(id))
  const several = (
    <BatchBar
      chosen={chosen}
      loadCalls={loadCalls}
      loadCurrent={loadCurrent}
      {...batch}
      onClear={() => {
        batch.onClear()
        setSelection(nothingSelected)
      }}
    />
  )
  // Where no card is open, its room is free for them.
  const hasSeveral = chosen.length > 0 || batch.answers !== null || batch.unsent !== null

  return (
    <div className={look.page} data-fills data-card-open={openId !== null} data-empty={isEmpty}>
      <section className={look.pane} aria-label="Waiting calls">
        <Head />
        {!isEmpty && <ListFilters filter={filter} onFilter={setFilter} list={list} search={search} />}
        <ListOf
          list={list}
          isFiltered={isFiltering(filter)}
          onShowAll={() => setFilter({ ...noFilter, sort: filter.sort })}
        >
          <CallList
            list={list}
            openId={openId}
            at={at}
            focusTurn={focusTurn}
            selection={selection}
            onOpen={({ id }) => open(id)}
            onTick={tick}
            onFold={(key) => setFolded(toggledKey(folded, key))}
            answeringOf={(id) => rowAnswer(verdicts.of(id), batch.kindOf(id), () => verdicts.takeBack(id))}
          />
        </ListOf>
        {openId !== null && several}
        <NotRunCalls list={list} filter={filter} openId={openId} onOpen={({ id }) => open(id)} />
        <SettledCalls list={list} openId={openId} onOpen={({ id }) => open(id)} />
      </section>
      {openId === null ? (
        hasSeveral ? (
          <div className={look.several}>{several}</div>
        ) : (
          !isEmpty && (
            <div className={look.noCard}>
              <p>Select a call to see its details.</p>
            </div>
          )
        )
      ) : (
        <Suspense fallback={<Loading label="Loading the call" lines={8} />}>
          <OpenCard
            id={openId}
            focusTurn={cardTurn}
            read={read}
            list={list}
            loadCalls={loadCalls}
            verdicts={verdicts}
            onClose={close}
            onNext={hasNext ? goOn : null}
            onOpen={open}
          />
        </Suspense>
      )}
    </div>
  )
}

const none: readonly WaitingCall[] = []

function Head(): ReactNode {
  const { count, loading } = useWaitingCalls()
  return (
    <header className={look.head}>
      <h1 tabIndex={-1}>Waiting</h1>
      {count > 0 && <p>{loading === "more" ? `${count} loaded so far…` : count === 1 ? "1 call" : `${count} calls`}</p>}
    </header>
  )
}

type ListOfProps = {
  readonly list: WaitingList
  readonly isFiltered: boolean
  readonly onShowAll: () => void
  readonly children: ReactNode
}

function ListOf({ list, isFiltered, onShowAll, children }: ListOfProps): ReactNode {
  const { loading } = useWaitingCalls()
  const { book } = useLive()
  if (list.lines.length > 0) return children
  if (loading === "first") return <Loading label="Loading waiting calls" lines={5} />
  if (loading === "failed") {
    return (
      <Notice
        tone="no"
        title="Waiting calls could not be loaded"
        actions={<Button onClick={() => void book.resume()}>Try again</Button>}
      >
        They are safe; only this page could not load them.
      </Notice>
    )
  }
  if (!isFiltered || list.calls.length === 0) return <NothingWaits />
  return (
    <Empty icon={<SearchX />} title="No matches">
      <Button onClick={onShowAll}>Show all {list.calls.length}</Button>
    </Empty>
  )
}

/** Calls that no longer wait fall out of the selection by themselves. */
function useSelection(list: WaitingList): readonly [Selection, (selection: Selection) => void] {
  const [chosen, setChosen] = useState(nothingSelected)
  const selection =
    chosen.ids.size === 0 ? chosen : stillWaiting(chosen, new Set(list.calls.map(({ id }: WaitingCall) => id)))
  return [selection, setChosen]
}
