import type { Client, StoryItemView } from "@byleave/api"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useClient } from "./client.tsx"
import { shownBy } from "./shown-by.ts"
import { problemOf, type Read, read } from "./use-read.ts"

type Story = { readonly items: readonly StoryItemView[]; readonly readTo: number }

/** Within a leg no event tells of what was written down. */
const everyMs = 3_000
const mostPages = 200

export function storyKey(id: string): readonly string[] {
  return [shownBy.runStory, "runStory", id]
}

/** A run's story. It only grows, so each time what follows is read. */
export function useRunStory(id: string, isRunning: boolean, isOn = true): Read<readonly StoryItemView[]> {
  const client = useClient()
  const queries = useQueryClient()
  const query = useQuery<Story>({
    queryKey: storyKey(id),
    queryFn: ({ signal }) => readOn(client, id, queries.getQueryData<Story>(storyKey(id)) ?? nothingRead, signal),
    structuralSharing: false,
    enabled: isOn,
    refetchInterval: isRunning ? everyMs : false,
  })
  const again = (): void => void query.refetch()
  if (query.data !== undefined) return { state: "ready", value: query.data.items, again }
  if (query.error !== null) return { state: "problem", problem: problemOf(query.error), again }
  return { state: "loading" }
}

const nothingRead: Story = { items: [], readTo: 0 }

async function readOn(client: Client, id: string, before: Story, signal: AbortSignal): Promise<Story> {
  const found: StoryItemView[] = []
  let { readTo } = before
  for (let page = 0; page < mostPages; page++) {
    const { items, next } = await read(client, "runStory", { params: { id }, query: { after: readTo } }, signal)
    found.push(...items)
    if (next === null) break
    readTo = next
  }
  return readTo === before.readTo ? before : { items: [...before.items, ...found], readTo }
}
