/**
 * A name as a text column keeps it. PostgreSQL holds neither NUL nor lone surrogates, SQLite makes the latter all the same,
 * and names are chosen by agents. Two different names never become the same text, because a plain one has no backslash and
 * an escaped one always has.
 */
export function keyText(name: string): string {
  const plain = name.isWellFormed() && !name.includes("\0") && !name.includes("\\") && !name.includes('"')
  return plain ? name : JSON.stringify(name).slice(1, -1)
}

export function nameOf(text: string): string {
  return text.includes("\\") ? JSON.parse(`"${text}"`) : text
}
