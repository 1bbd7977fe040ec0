import type { JsonObject } from "@byleave/core"

/** Items that a program has announced and not completed, such as changes of files, by thread and id: what its questions are about. */
export type AnnouncedItems = {
  /** `item`: null where it was not read whole. */
  readonly put: (place: ItemPlace, item: JsonObject | null, size: number) => void
  readonly at: (place: ItemPlace) => JsonObject | null | undefined
  readonly remove: (place: ItemPlace) => void
  readonly clear: () => void
}

export type ItemPlace = { readonly thread: string; readonly item: string }

const mostItems = 1_000
const mostSize = 64 * 1024 * 1024

/** Keeps the latest ones, up to a number and a size. */
export function createAnnouncedItems(): AnnouncedItems {
  const kept = new Map<string, { readonly item: JsonObject | null; readonly size: number }>()
  let size = 0
  const drop = (key: string): void => {
    size -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }
  return {
    put: (place, item, readSize) => {
      const key = keyOf(place)
      const itemSize = item === null ? 0 : readSize
      drop(key)
      kept.set(key, { item, size: itemSize })
      size += itemSize
      for (const oldest of kept.keys()) {
        if (kept.size <= mostItems && size <= mostSize) break
        drop(oldest)
      }
    },
    at: (place) => kept.get(keyOf(place))?.item,
    remove: (place) => drop(keyOf(place)),
    clear: () => {
      kept.clear()
      size = 0
    },
  }
}

function keyOf({ thread, item }: ItemPlace): string {
  return JSON.stringify([thread, item])
}
