import type { StoryItemView } from "@byleave/api"
import { nothingRead, type ReadStory, readStoryOn } from "@byleave/ui"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useClient } from "./client.tsx"
import { shownBy } from "./shown-by.ts"
import { problemOf, type Read, read } from "./use-read.ts"

/** Within a leg no event tells of what was written down. */
const everyMs = 3_000

export function storyKey(id: string): readonly string[] {
  return [shownBy.runStory, "runStory", id]
}

/** A run's story. It only grows, so each time what follows is read. */
export function useRunStory(id: string, isRunning: boolean, isOn = true): Read<readonly StoryItemView[]> {
  const client = useClient()
  const queries = useQueryClient()
  const query = useQuery<ReadStory>({
    queryKey: storyKey(id),
    queryFn: ({ signal }) =>
      readStoryOn(queries.getQueryData<ReadStory>(storyKey(id)) ?? nothingRead, (after) =>
        read(client, "runStory", { params: { id }, query: { after } }, signal),
      ),
    structuralSharing: false,
    enabled: isOn,
    refetchInterval: isRunning ? everyMs : false,
  })
  const again = (): void => void query.refetch()
  if (query.data !== undefined) return { state: "ready", value: query.data.items, again }
  if (query.error !== null) return { state: "problem", problem: problemOf(query.error), again }
  return { state: "loading" }
}
