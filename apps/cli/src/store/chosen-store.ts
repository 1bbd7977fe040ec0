/**
 * Where a data folder's service keeps its records, written down when it is first started: a client's environment may name another store,
 * and on an empty one nothing that people have said no to holds.
 *
 * I1. Without `--store`, nothing is opened but the store that the folder was first used with, whatever the environment says.
 */
import { nodeHasher } from "@byleave/core/node"
import { openKeys } from "@byleave/store/sqlite"
import type { Io } from "../io.ts"
import { storeFrom } from "./is-store.ts"
import { readKeptStore, writeKeptStore } from "./kept-store.ts"

/** The store to open; or why none is. */
export function chosenStore(
  data: string,
  written: string | undefined,
  io: Pick<Io, "env">,
): { readonly store: string } | { readonly problem: string } {
  const store = storeFrom(written, io)
  const kept = readKeptStore(data)
  if (written !== undefined || kept === null || kept === nameOf(data, store)) return { store }
  const named =
    io.env.get("BYLEAVE_STORE") === undefined ? "no BYLEAVE_STORE is set" : "BYLEAVE_STORE names another one"
  return {
    problem: `${data} keeps its records in ${kept === "sqlite" ? "its own file (sqlite)" : "a PostgreSQL database"}, and ${named}. Nothing was started. To go on elsewhere, where nothing of it is known, start it once by hand with \`byleave serve --store …\`.`,
  }
}

/** From now on this is the folder's store. */
export function keepStore(data: string, store: string): void {
  writeKeptStore(data, nameOf(data, store))
}

/** A password may change; the place is the same. */
function nameOf(data: string, store: string): string {
  if (store === "sqlite") return "sqlite"
  const place = URL.canParse(store) ? withoutPassword(new URL(store)) : store
  return `postgres ${nodeHasher.hmacSha256(openKeys(data).digestKey, place)}`
}

function withoutPassword(url: URL): string {
  url.password = ""
  url.searchParams.delete("password")
  return url.href
}
