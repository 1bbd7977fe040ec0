import { useRouter, useSearch } from "@tanstack/react-router"
import { type ActivityFilters, readFilters } from "./activity-filters.ts"

type ActivityAddress = {
  readonly filters: ActivityFilters
  /** Shows the calls that these narrow it to, as a place one can come back from. */
  readonly show: (filters: ActivityFilters) => void
}

/** The filters of the list of calls, read from the address. */
export function useActivity(): ActivityAddress {
  const router = useRouter()
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>
  return {
    filters: readFilters(search),
    show: (filters) => void router.navigate({ href: addressOf(router, filters) }),
  }
}

/** The address of the calls behind something, for a link. */
export function useActivityHref(): (filters: ActivityFilters) => string {
  const router = useRouter()
  return (filters) => addressOf(router, filters)
}

// The router writes what would read back as a number in quotes, so that an id of digits stays what it is.
function addressOf(router: ReturnType<typeof useRouter>, filters: ActivityFilters): string {
  return router.buildLocation({ to: "/activity", search: filters } as Parameters<typeof router.buildLocation>[0]).href
}
