/** A text area knows one kind of line end; a file keeps its own. */

export function asEdited(text: string): string {
  return text.replaceAll("\r\n", "\n")
}

/** With the line ends of the file it goes back to. */
export function asWritten(text: string, file: string): string {
  return file.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text
}
