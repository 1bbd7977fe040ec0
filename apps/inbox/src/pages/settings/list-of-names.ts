/** `ops, release  ops` is ops and release: names as people type them, each once. */
export function listOfNames(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((name) => name !== ""))]
}
