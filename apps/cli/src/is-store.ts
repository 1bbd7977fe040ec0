/** What `--store` may say: `sqlite`, the file in the data folder, or the address of a PostgreSQL database. */
export function isStore(written: string): boolean {
  return written === "sqlite" || /^postgres(?:ql)?:\/\//.test(written)
}
