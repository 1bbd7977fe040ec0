/** `812 bytes`, `3.4 kB`, `12 MB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`
  if (bytes < 1_000_000) return `${shown(bytes / 1_000)} kB`
  return `${shown(bytes / 1_000_000)} MB`
}

function shown(count: number): string {
  return count.toFixed(count < 10 ? 1 : 0).replace(/\.0$/, "")
}
