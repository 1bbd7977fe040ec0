import { showText } from "@byleave/core"
import { ApprovalRow, type RowAnswer, rowText, ShownName } from "@byleave/ui"
import { defaultRangeExtractor, type Range, useVirtualizer } from "@tanstack/react-virtual"
import { ChevronDown, ChevronRight } from "lucide-react"
import { type ReactNode, useCallback, useEffect, useMemo, useRef } from "react"
import type { WaitingCall } from "../../../data/live/waiting-table.ts"
import look from "./call-list.module.css"
import { type Folded, firstValues } from "./fold-lines.ts"
import type { ListLine } from "./group-calls.ts"
import type { Selection } from "./selection.ts"
import { SessionLine } from "./session-line.tsx"
import { useAnchoredScroll } from "./use-anchored-scroll.ts"
import type { WaitingList } from "./use-waiting-list.ts"

type CallListProps = {
  readonly list: WaitingList
  readonly openId: string | null
  /** The call the keys are at. */
  readonly at: string | null
  /** Changes whenever the focus is to go to it. */
  readonly focusTurn: number
  readonly selection: Selection
  readonly onOpen: (call: WaitingCall) => void
  readonly onTick: (ids: readonly string[], range: boolean) => void
  /** Folds or unfolds the group with this heading. */
  readonly onFold: (key: string) => void
  /** The decision on a call that was made and is not confirmed yet. */
  readonly answeringOf: (id: string) => RowAnswer | null
}

const heights = { session: 44, tool: 36, call: 60 } as const satisfies Record<ListLine["kind"], number>

/** The waiting calls, of which only those in sight are drawn. */
export function CallList(props: CallListProps): ReactNode {
  const { list, at, focusTurn } = props
  const { lines } = list
  const box = useRef<HTMLDivElement>(null)
  const atIndex = useMemo(() => indexOf(lines, list.folded, at), [lines, list.folded, at])
  const rangeExtractor = useCallback((range: Range) => withIndex(defaultRangeExtractor(range), atIndex), [atIndex])
  const virtual = useVirtualizer<HTMLDivElement, Element>({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: useCallback((index: number) => heights[lines[index]?.kind ?? "call"], [lines]),
    // The same as long as the lines are: another would have every line measured anew.
    getItemKey: useCallback((index: number) => lines[index]?.key ?? index, [lines]),
    rangeExtractor,
    overscan: 6,
  })
  const remember = useAnchoredScroll(virtual, box, lines)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new turn moves the focus, never a list that changed
  useEffect(() => {
    if (focusTurn === 0 || atIndex === -1) return
    virtual.scrollToIndex(atIndex)
    const line = box.current?.querySelector(`[data-index="${atIndex}"]`)
    line?.querySelector<HTMLElement>("[data-approval] button, [data-fold]")?.focus({ preventScroll: true })
  }, [focusTurn])
  return (
    <div ref={box} className={look.box} onScroll={remember}>
      <ul className={look.lines} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const line = lines[item.index]
          return line === undefined ? null : (
            <li
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              className={look.line}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              <Line line={line} isFirst={at === null && item.index === firstCall(lines)} {...props} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function Line({
  line,
  isFirst,
  ...props
}: CallListProps & { readonly line: ListLine; readonly isFirst: boolean }): ReactNode {
  switch (line.kind) {
    case "session":
      return <SessionHead line={line} {...props} />
    case "tool":
      return <ToolLine line={line} {...props} />
    case "call":
      return <CallLine call={line.call} isNested={line.isNested} isFirst={isFirst} {...props} />
  }
}

function SessionHead({
  line,
  list,
  onFold,
}: CallListProps & { readonly line: Extract<ListLine, { kind: "session" }> }): ReactNode {
  const [first] = line.calls
  if (first === undefined) return null
  const name = list.nameOf(first)
  return (
    <SessionLine
      calls={line.calls}
      session={list.sessions.get(line.sessionKey)}
      name={name}
      fold={
        <FoldButton
          isFolded={list.folded.has(line.key)}
          what={`the calls of ${name}`}
          onFold={() => onFold(line.key)}
        />
      }
    />
  )
}

function ToolLine({
  line: { key, calls },
  list,
  selection,
  onTick,
  onFold,
}: CallListProps & { readonly line: Extract<ListLine, { kind: "tool" }> }): ReactNode {
  const [first] = calls
  if (first === undefined) return null
  const ids = calls.map(({ id }) => id)
  const chosen = ids.filter((id) => selection.ids.has(id)).length
  const isAll = chosen === ids.length
  const isFolded = list.folded.has(key)
  const called = rowText(`${first.tool.server}(${first.tool.tool})`)
  return (
    <div className={look.group}>
      <label className={look.tool}>
        <input
          type="checkbox"
          checked={isAll}
          ref={(box) => {
            if (box !== null) box.indeterminate = chosen > 0 && !isAll
          }}
          onChange={() => onTick(ids, false)}
        />
        <span className="one-line">
          {calls.length} × <ShownName text={called} />
          <span className="only-read-aloud">: select all</span>
          {isFolded && (
            <span className={look.values}>
              {" "}
              <ShownName text={firstValues(calls)} />
            </span>
          )}
        </span>
      </label>
      <FoldButton isFolded={isFolded} what={`the ${calls.length} calls of ${called}`} onFold={() => onFold(key)} />
    </div>
  )
}

type FoldButtonProps = { readonly isFolded: boolean; readonly what: string; readonly onFold: () => void }

function FoldButton({ isFolded, what, onFold }: FoldButtonProps): ReactNode {
  return (
    <button
      type="button"
      className={look.small}
      data-fold=""
      aria-expanded={!isFolded}
      aria-label={`Show ${showText(what)}`}
      onClick={onFold}
    >
      {isFolded ? <ChevronRight aria-hidden="true" /> : <ChevronDown aria-hidden="true" />}
    </button>
  )
}

function CallLine({
  call,
  isNested,
  isFirst,
  ...props
}: CallListProps & { readonly call: WaitingCall; readonly isNested: boolean; readonly isFirst: boolean }): ReactNode {
  const { list, openId, at, selection, onOpen, onTick, answeringOf } = props
  const withShift = useRef(false)
  const ticking =
    call.status === "pending"
      ? { isTicked: selection.ids.has(call.id), onTick: () => onTick([call.id], withShift.current) }
      : {}
  return (
    <div
      className={look.call}
      data-nested={isNested}
      onClickCapture={(event) => {
        withShift.current = event.shiftKey
      }}
    >
      <ApprovalRow
        approval={call}
        session={list.sessions.get(call.sessionKey) ?? null}
        isOpen={call.id === openId}
        isNested={isNested}
        onOpen={onOpen}
        tabIndex={call.id === at || isFirst ? 0 : -1}
        answering={call.status === "pending" ? answeringOf(call.id) : null}
        {...ticking}
      />
    </div>
  )
}

/** The line of a call, or the heading it is folded under. */
function indexOf(lines: readonly ListLine[], folded: Folded, id: string | null): number {
  const own = lines.findIndex(({ key }) => key === id)
  if (own !== -1 || id === null) return own
  return lines.findIndex(
    (line) => line.kind !== "call" && folded.has(line.key) && line.calls.some((call) => call.id === id),
  )
}

function firstCall(lines: readonly ListLine[]): number {
  return lines.findIndex(({ kind }) => kind === "call")
}

/** The line with the focus stays drawn, wherever the list is scrolled to. */
function withIndex(indexes: number[], index: number): number[] {
  if (index === -1 || indexes.includes(index)) return indexes
  return [...indexes, index].sort((one, other) => one - other)
}
