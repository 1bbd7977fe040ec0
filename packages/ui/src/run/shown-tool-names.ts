import type { ServerView } from "@byleave/api"

/** Tools as people know them, by the names that models are given; a name that was made otherwise is shown as it is. */
export function shownToolNames(servers: readonly Pick<ServerView, "id" | "tools">[]): ReadonlyMap<string, string> {
  return new Map(
    servers.flatMap(({ id, tools }) =>
      tools.map(({ name }) => [`${id}__${name}`.replaceAll(/[^A-Za-z0-9_-]/g, "_"), `${id}(${name})`] as const),
    ),
  )
}
