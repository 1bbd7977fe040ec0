import type { Client, StoryItemView } from "@byleave/api"
import { answerOf } from "../decide/waiting-calls.ts"

/** Everything that was said and done in a run, oldest first. */
export async function wholeStory(client: Client, id: string): Promise<readonly StoryItemView[]> {
  const items: StoryItemView[] = []
  let after: number | null = 0
  while (after !== null) {
    const page: Page = answerOf(await client.runStory({ params: { id }, query: { after } }))
    items.push(...page.items)
    after = page.next
  }
  return items
}

type Page = { readonly items: readonly StoryItemView[]; readonly next: number | null }

/** The models' answers and the tools' outcomes in one leg. */
export function legOf(story: readonly StoryItemView[], leg: number): readonly StoryItemView[] {
  const begin = story.findIndex((item) => item.kind === "leg-ended" && item.leg === leg - 1) + 1
  return story.slice(begin).filter(({ kind }) => kind === "answer" || kind === "outcome")
}

/** The legs that are over: one under way is told as it goes on. */
export function endedLegs(story: readonly StoryItemView[]): readonly StoryItemView[] {
  return story.slice(0, story.findLastIndex(({ kind }) => kind === "leg-ended") + 1)
}
