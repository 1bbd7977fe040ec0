export type WordPiece = { readonly text: string; readonly exact: boolean }

/** A message in pieces: what stands between backticks is exact. A backtick without its fellow stays what it is. */
export function wordPieces(message: string): readonly WordPiece[] {
  return message
    .split(/(`[^`]+`)/)
    .filter((piece) => piece !== "")
    .map((piece) =>
      /^`[^`]+`$/.test(piece) ? { text: piece.slice(1, -1), exact: true } : { text: piece, exact: false },
    )
}
