/** Where somebody is in a review, as far as the page can tell. */
export type ReviewPlace = {
  /** The file that has the focus; null: none has it. */
  readonly focused: string | null
  /** Something on the page has the focus. A button that was pressed and removed (Reveal, Save comment) leaves it nowhere. */
  readonly hasFocus: boolean
  /** The file that had the focus last. */
  readonly last: string | null
}

/** The file that a key is meant for. */
export function fileMeant({ focused, hasFocus, last }: ReviewPlace): string | null {
  return focused ?? (hasFocus ? null : last)
}

/** The file after or before that one; the first where there is none. */
export function fileBeside(files: readonly string[], at: string | null, step: 1 | -1): string | undefined {
  const here = at === null ? -1 : files.indexOf(at)
  return files[here === -1 ? 0 : here + step]
}
