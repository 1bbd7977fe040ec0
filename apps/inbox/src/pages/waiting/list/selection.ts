/** The calls somebody has ticked, and the one they ticked last, from which a range is counted. */
export type Selection = { readonly ids: ReadonlySet<string>; readonly last: string | null }

export const nothingSelected: Selection = { ids: new Set(), last: null }

/** `shown`: what is on the list now, in its order. A range takes the state of the one it ends at. */
export function toggled(selection: Selection, id: string, shown: readonly string[], range: boolean): Selection {
  const on = !selection.ids.has(id)
  const span = range ? between(shown, selection.last, id) : [id]
  const ids = new Set(selection.ids)
  for (const each of span) {
    if (on) ids.add(each)
    else ids.delete(each)
  }
  return { ids, last: id }
}

/** All of them, or none when all are ticked already. */
export function toggledAll(selection: Selection, ids: readonly string[]): Selection {
  const all = ids.every((id) => selection.ids.has(id))
  const next = new Set(selection.ids)
  for (const id of ids) {
    if (all) next.delete(id)
    else next.add(id)
  }
  return { ids: next, last: selection.last }
}

/** A call that no longer waits cannot be decided. */
export function stillWaiting(selection: Selection, waiting: ReadonlySet<string>): Selection {
  const ids = [...selection.ids].filter((id) => waiting.has(id))
  return ids.length === selection.ids.size ? selection : { ...selection, ids: new Set(ids) }
}

function between(shown: readonly string[], from: string | null, to: string): readonly string[] {
  const start = from === null ? -1 : shown.indexOf(from)
  const end = shown.indexOf(to)
  if (start === -1 || end === -1) return [to]
  return shown.slice(Math.min(start, end), Math.max(start, end) + 1)
}
