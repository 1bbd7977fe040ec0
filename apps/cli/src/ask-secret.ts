import { openSync, writeSync } from "node:fs"
import { ReadStream } from "node:tty"

/** Reads what is typed on the terminal itself, unseen, until Enter. Null: there is no terminal, or the person gave up (Ctrl-C, Ctrl-D). */
export function askSecret(prompt: string): Promise<string | null> {
  const file = openTerminal()
  if (file === null) return Promise.resolve(null)
  const terminal = new ReadStream(file)
  if (!terminal.isTTY) {
    terminal.destroy()
    return Promise.resolve(null)
  }
  const say = (text: string) => void writeSync(file, text)
  return new Promise((resolve) => {
    let typed = ""
    const end = (answer: string | null): void => {
      terminal.setRawMode(false)
      say("\n")
      terminal.destroy()
      resolve(answer)
    }
    terminal.setRawMode(true)
    say(prompt)
    terminal.setEncoding("utf8").on("data", (text: string) => {
      for (const key of text) {
        const next = afterKey(typed, key)
        if (typeof next !== "string") return end(next.answer)
        typed = next
      }
    })
    terminal.on("error", () => resolve(null))
  })
}

// A pipe or a redirected file is never asked: whoever wrote it may not be a person.
function openTerminal(): number | null {
  try {
    return openSync(process.platform === "win32" ? "\\\\.\\CON" : "/dev/tty", "r+")
  } catch {
    return null
  }
}

/** What is typed after one more key; or the end of it. */
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
