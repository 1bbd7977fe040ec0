import type { Message } from "./message.ts"

/** A message, or a batch of them, as text. Numbers that keep their source text give it back. */
export function writeMessage(message: Message | readonly Message[]): string {
  return JSON.stringify(message)
}
