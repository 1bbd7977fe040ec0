import { openSync, writeSync } from "node:fs"
import { ReadStream } from "node:tty"

/**
 * Reads the text typed on the terminal itself, unseen, until Enter, and returns the result of `check`. Keys typed while it checks are
 * neither shown nor kept: people who mistyped begin anew at once. Null: there is no terminal, or the person gave up (Ctrl-C, Ctrl-D).
 */
export async function askSecret<Found>(
  prompt: string,
  check: (typed: string) => Promise<Found>,
): Promise<Found | null> {
  const file = openTerminal()
  if (file === null) return null
  const terminal = new ReadStream(file)
  if (!terminal.isTTY) {
    terminal.destroy()
    return null
  }
  terminal.setRawMode(true)
  try {
    writeSync(file, prompt)
    const typed = await readTyped(terminal)
    writeSync(file, "\n")
    return typed === null ? null : await swallowing(terminal, check(typed))
  } finally {
    terminal.setRawMode(false)
    terminal.destroy()
  }
}

/** A `check` that returns the typed text unchanged. */
export async function asTyped(typed: string): Promise<string> {
  return typed
}

function readTyped(terminal: ReadStream): Promise<string | null> {
  return new Promise((resolve) => {
    let typed = ""
    const read = (text: string): void => {
      for (const key of text) {
        const next = afterKey(typed, key)
        if (typeof next !== "string") {
          terminal.off("data", read)
          resolve(next.answer)
          return
        }
        typed = next
      }
    }
    terminal.setEncoding("utf8").on("data", read)
    terminal.on("error", () => resolve(null))
  })
}

/** Takes every key away from the screen and from the next reader. Ctrl-C still means what it always does. */
async function swallowing<Found>(terminal: ReadStream, work: Promise<Found>): Promise<Found> {
  terminal.on("data", (text: string) => {
    if (text.includes("\u0003")) process.kill(process.pid, "SIGINT")
  })
  return work
}

// A pipe or a redirected file is never asked: its writer may not be a person.
function openTerminal(): number | null {
  try {
    return openSync(process.platform === "win32" ? "\\\\.\\CON" : "/dev/tty", "r+")
  } catch {
    return null
  }
}

/** The typed text after one more key; or the answer, if the key ends it. */
export function afterKey(typed: string, key: string): string | { readonly answer: string | null } {
  switch (key) {
    case "\r":
    case "\n":
      return { answer: typed }
    case "\u0003":
    case "\u0004":
      return { answer: null }
    case "\u007f":
    case "\b":
      return [...typed].slice(0, -1).join("")
    case "\u0015":
      return ""
    default:
      return typed + key
  }
}
