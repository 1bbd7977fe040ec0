/**
 * What is open now, in no order. A Set would do the same and cost a fifth of a call's processor time where every request is put into it: the tables it
 * outgrows point to each other, and once the garbage collector has moved one to old space, every request in the later ones survives until the
 * next full collection.
 */
export type IndexedList<T> = {
  readonly add: (item: T) => void
  /** The last one takes the place of the removed one. One that is not in it is left alone. */
  readonly remove: (item: T) => void
  readonly size: () => number
  /** A copy: what is in it now may be removed meanwhile. */
  readonly all: () => readonly T[]
}

/** Its place in the list, which only the list changes; -1: it is not in one. */
export type Indexed = { index: number }

export function createIndexedList<T extends Indexed>(): IndexedList<T> {
  const items: T[] = []
  return {
    add: (item) => {
      item.index = items.push(item) - 1
    },
    remove: (item) => {
      if (items[item.index] !== item) return
      const last = items.pop()
      if (last !== undefined && last !== item) {
        items[item.index] = last
        last.index = item.index
      }
      item.index = -1
    },
    size: () => items.length,
    all: () => [...items],
  }
}
