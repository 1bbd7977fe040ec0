/** How the examples are looked at. It stands in the page's address, so that a link shows what its sender saw. */
export type ViewState = {
  readonly theme: "light" | "dark" | "both"
  readonly width: (typeof widths)[number]
  readonly filter: string
  /** The example to go to; empty: none. */
  readonly at: string
}

export const widths = ["390", "768", "1024", "full"] as const

export function readViewState({ search, hash }: Pick<Location, "search" | "hash">): ViewState {
  const given = new URLSearchParams(search)
  const theme = given.get("theme")
  return {
    theme: theme === "light" || theme === "dark" ? theme : "both",
    width: widths.find((width) => width === given.get("width")) ?? "full",
    filter: given.get("filter") ?? "",
    at: decodeURIComponent(hash.slice(1)),
  }
}

export function addressOf({ theme, width, filter, at }: ViewState): string {
  const search = new URLSearchParams({ theme, width, ...(filter === "" ? {} : { filter }) })
  return `?${search}${at === "" ? "" : `#${encodeURIComponent(at)}`}`
}

/** The state of one frame. Everything that changes stands after the `#` of its address, so that nothing is loaded anew. */
export type FrameState = {
  readonly theme: "light" | "dark"
  readonly filter: string
  readonly at: string
  /** This example and nothing else; empty: all that the filter lets through. */
  readonly only: string
}

export function readFrameState({ search, hash }: Pick<Location, "search" | "hash">): FrameState {
  const given = new URLSearchParams(hash.slice(1))
  const text = (name: string): string => given.get(name) ?? ""
  return {
    theme: text("theme") === "dark" ? "dark" : "light",
    filter: text("filter"),
    at: text("at"),
    only: new URLSearchParams(search).get("only") ?? "",
  }
}

/** A single example stands before the `#`: browsers load no frame into itself, whatever comes after. */
export function frameAddress({ only = "", ...state }: Partial<FrameState>): string {
  return `/workbench/frame.html${only === "" ? "" : `?only=${only}`}#${new URLSearchParams(state)}`
}
