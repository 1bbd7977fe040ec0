import type { StoryItemView } from "@byleave/api"

export type ReadStory = { readonly items: readonly StoryItemView[]; readonly readTo: number }

export const nothingRead: ReadStory = { items: [], readTo: 0 }

type StoryPage = { readonly items: readonly StoryItemView[]; readonly next: number | null }

const mostPages = 200

/** Reads what follows of a run's story, which only grows. Nothing new: the same object. */
export async function readStoryOn(
  before: ReadStory,
  readPage: (after: number) => Promise<StoryPage>,
): Promise<ReadStory> {
  const found: StoryItemView[] = []
  let { readTo } = before
  for (let page = 0; page < mostPages; page++) {
    const { items, next } = await readPage(readTo)
    found.push(...items)
    if (next === null) break
    readTo = next
  }
  return readTo === before.readTo ? before : { items: [...before.items, ...found], readTo }
}
