/**
 * Which rows of a table of arguments are drawn. Agents choose how many there are and how they are nested, so the whole table has one budget.
 *
 * I1. At first, and with each press, no more rows are added than a page can draw at once, however they are nested.
 * I2. A row that is drawn stays drawn until somebody folds it away.
 * I3. Whatever is not drawn is counted, where it would stand.
 */
import type { ArgNode } from "./arg-tree.ts"

/** How many entries of each holder are drawn, by its pointer; none of a holder that is missing here. */
export type ShownCounts = ReadonlyMap<string, number>

/** The pointer of the arguments as a whole. */
const whole = ""

const rowsAtFirst = 200
/** A longer list stays folded at first, so that what follows it is in sight. */
const mostInList = 40
export const rowsAtOnce = 500

/** The rows of an object or list that has just been opened: its first entries, and within them, in reading order, each object or list that fits. */
export function firstRows(nodes: readonly ArgNode[], holder = whole): ShownCounts {
  const counts = new Map<string, number>()
  let room = rowsAtFirst
  const open = (pointer: string, entries: readonly ArgNode[]): void => {
    const count = Math.min(entries.length, mostInList)
    counts.set(pointer, count)
    room -= count
    for (const { pointer, inner } of entries.slice(0, count)) {
      if (inner.length > 0 && inner.length <= Math.min(mostInList, room)) open(pointer, inner)
    }
  }
  open(holder, nodes)
  return counts
}

/** One step more of the table: in reading order, what is folded within the drawn rows first, then what follows them. */
export function moreRows(tree: readonly ArgNode[], shown: ShownCounts, step = rowsAtOnce): ShownCounts {
  const counts = new Map(shown)
  let room = step
  const extend = (pointer: string, entries: readonly ArgNode[]): void => {
    const had = Math.min(counts.get(pointer) ?? 0, entries.length)
    extendEach(entries.slice(0, had))
    const more = Math.min(entries.length - had, room)
    if (more === 0) return
    room -= more
    counts.set(pointer, had + more)
    extendEach(entries.slice(had, had + more))
  }
  const extendEach = (entries: readonly ArgNode[]): void => {
    for (const { pointer, inner } of entries) {
      if (room === 0) return
      if (inner.length > 0) extend(pointer, inner)
    }
  }
  extend(whole, tree)
  return counts
}

/** One step more of one holder. */
export function moreEntries(shown: ShownCounts, pointer: string): ShownCounts {
  return new Map([...shown, [pointer, (shown.get(pointer) ?? 0) + rowsAtOnce]])
}

/** Opens a holder, or folds it away with all that was opened within it: opened again, it begins anew. */
export function toggled(shown: ShownCounts, { pointer, inner }: ArgNode): ShownCounts {
  if ((shown.get(pointer) ?? 0) === 0) return new Map([...shown, ...firstRows(inner, pointer)])
  return new Map([...[...shown].filter(([each]) => !each.startsWith(`${pointer}/`)), [pointer, 0]])
}

export type TableRow =
  | {
      readonly kind: "value"
      readonly node: ArgNode
      readonly depth: number
      readonly isOpen: boolean
      /** How many rows there are within it, at any depth; 0 while they are drawn. */
      readonly folded: number
    }
  /** Entries of a holder that are not drawn yet. */
  | { readonly kind: "rest"; readonly pointer: string; readonly rest: number }

/** The rows as they are drawn. */
export function tableRows(tree: readonly ArgNode[], shown: ShownCounts): readonly TableRow[] {
  const rows: TableRow[] = []
  const draw = (pointer: string, entries: readonly ArgNode[], depth: number): void => {
    const count = shown.get(pointer) ?? 0
    for (const node of entries.slice(0, count)) {
      const isOpen = node.inner.length > 0 && (shown.get(node.pointer) ?? 0) > 0
      rows.push({ kind: "value", node, depth, isOpen, folded: isOpen ? 0 : rowsIn(node.inner) })
      if (isOpen) draw(node.pointer, node.inner, depth + 1)
    }
    if (count < entries.length) rows.push({ kind: "rest", pointer, rest: entries.length - count })
  }
  draw(whole, tree, 0)
  return rows
}

function rowsIn(nodes: readonly ArgNode[]): number {
  return nodes.reduce((count, { inner }) => count + 1 + rowsIn(inner), 0)
}
