import type { ReactNode } from "react"

export type Example = {
  /** Its anchor, unique in the workbench. */
  readonly id: string
  readonly title: string
  readonly Draw: () => ReactNode
  /** It covers the page that it is on, so it gets one of its own. */
  readonly coversPage?: true
}

export type ExampleGroup = { readonly title: string; readonly examples: readonly Example[] }

/** Groups with the examples whose title, or whose group's title, contains every word; groups without any are left out. */
export function matching(groups: readonly ExampleGroup[], filter: string): readonly ExampleGroup[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  return groups.flatMap((group) => {
    const examples = group.examples.filter(({ title }) => {
      const text = `${group.title} ${title}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    return examples.length === 0 ? [] : [{ ...group, examples }]
  })
}
