/** Saves a file through the browser. */
export function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  // The browser takes the bytes after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
