/** The first of `name`, `name-2`, `name-3` … that is not taken. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name
  for (let count = 2; ; count++) if (!taken.has(`${name}-${count}`)) return `${name}-${count}`
}
