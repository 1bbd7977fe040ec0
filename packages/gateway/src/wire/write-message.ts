import type { Message } from "./message.ts"

/** A message, or a batch of them, as text. Numbers that keep their source text give it back. */
export function writeMessage(message: Message | readonly Message[]): string {
  return JSON.stringify(message)
}

/** The same as one line, also for those that take more than "\n" for the end of one, as Node's readline and Python's splitlines do. */
export function writeLine(message: Message | readonly Message[]): string {
  const text = writeMessage(message)
  // They stand in strings alone, where their escapes say the same; JSON has escaped all the others.
  return `${text.replace(/[\u0085\u2028\u2029]/g, (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`
}
