/** Text files in a message: they travel as part of its text, each behind a line that names it, and are shown as files again. */
export type AttachedFile = { readonly name: string; readonly text: string }

/** Files larger than this are refused: a model would hardly read them, and every step sends them again. */
export const largestFile = 200_000

const heading = /\n\n\[Attached file: ([^\n\]]+)\]\n(`{3,})\n/

export function withAttachments(text: string, files: readonly AttachedFile[]): string {
  return [text, ...files.map(asText)].join("")
}

function asText({ name, text }: AttachedFile): string {
  const longest = (text.match(/`{3,}/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const fence = "`".repeat(longest + 1)
  return `\n\n[Attached file: ${name.replaceAll(/[\n\]]/g, "_")}]\n${fence}\n${text}\n${fence}`
}

/** The words a person wrote, and the files that came with them. A file whose end was cut off goes to the end of the text. */
export function splitAttachments(message: string): { readonly text: string; readonly files: readonly AttachedFile[] } {
  const files: AttachedFile[] = []
  let rest = message
  let text: string | null = null
  for (;;) {
    const found = heading.exec(rest)
    if (found === null) return { text: text ?? rest, files }
    const [whole, name = "", fence = ""] = found
    text ??= rest.slice(0, found.index)
    const from = found.index + whole.length
    const end = rest.indexOf(`\n${fence}`, from)
    files.push({ name, text: rest.slice(from, end === -1 ? undefined : end) })
    if (end === -1) return { text, files }
    rest = rest.slice(end + fence.length + 1)
  }
}
