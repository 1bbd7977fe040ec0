import { type CallFilter, noFilter } from "./filter-calls.ts"
import { callOrders } from "./sort-calls.ts"

/** The list's part of the address: `/?server=files&q=notes&open=…`. */
export type ListSearch = { readonly [name: string]: string }

const texts = [
  ["q", "text"],
  ["server", "server"],
  ["tool", "tool"],
  ["session", "session"],
  ["agent", "principal"],
] as const

/** Whatever else stands in an address is left alone. */
export function filterIn(search: Readonly<Record<string, unknown>>): CallFilter {
  const read = (name: string): string => (typeof search[name] === "string" ? search[name] : "")
  return {
    ...noFilter,
    ...Object.fromEntries(texts.map(([name, part]) => [part, read(name)])),
    soon: search.soon === "1",
    sort: callOrders.find((order) => order === search.sort) ?? noFilter.sort,
  }
}

export function searchFor(filter: CallFilter, openId: string | null): ListSearch {
  const named = texts.map(([name, part]) => [name, filter[part]] as const)
  const sort = filter.sort === noFilter.sort ? "" : filter.sort
  const all = [...named, ["soon", filter.soon ? "1" : ""], ["sort", sort], ["open", openId ?? ""]] as const
  return Object.fromEntries(all.filter(([, text]) => text !== ""))
}
