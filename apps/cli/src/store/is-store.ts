import type { Io } from "../io.ts"

/** The values of `--store`: `sqlite`, the file in the data folder, or the address of a PostgreSQL database. */
export function isStore(written: string): boolean {
  return written === "sqlite" || /^postgres(?:ql)?:\/\//.test(written)
}

/** As written, else by the environment: an address with a password in it is better kept out of the list of processes. */
export function storeFrom(written: string | undefined, io: Pick<Io, "env">): string {
  return written ?? io.env.get("BYLEAVE_STORE") ?? "sqlite"
}
