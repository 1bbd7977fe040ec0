/** The page's address: `/permissions?server=files&view=tools`. */
import { effectWords, type ShownEffect } from "./tools/effect-words.ts"
import type { PermissionFilter } from "./tools/permissions-by-server.ts"

/** `said`: saved permissions and rules; `tools`: the present answer to each tool. */
export type Viewed = "said" | "tools"

export type PermissionAddress = { readonly viewed: Viewed; readonly filter: PermissionFilter }

/** A value that nobody could have meant is left out. */
export function readAddress(search: Readonly<Record<string, unknown>>): PermissionAddress {
  return {
    viewed: search.view === "tools" ? "tools" : "said",
    filter: { server: textIn(search.server), text: textIn(search.find), effect: effectIn(search.effect) },
  }
}

/** Only what differs from the whole is written down. */
export function searchOf({ viewed, filter }: PermissionAddress): Readonly<Record<string, string>> {
  const said = {
    view: viewed === "said" ? "" : viewed,
    server: filter.server,
    effect: filter.effect,
    find: filter.text.trim(),
  }
  return Object.fromEntries(Object.entries(said).filter(([, text]) => text !== ""))
}

function textIn(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : ""
}

function effectIn(value: unknown): ShownEffect | "" {
  return typeof value === "string" && Object.hasOwn(effectWords, value) ? (value as ShownEffect) : ""
}
