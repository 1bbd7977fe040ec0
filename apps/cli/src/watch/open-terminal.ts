import { emitKeypressEvents } from "node:readline"
import type { Terminal } from "../io.ts"

type Pressed = { readonly name?: string; readonly sequence?: string; readonly ctrl?: boolean }

const enter = "\u001b[?1049h\u001b[?25l"
const leave = "\u001b[?25h\u001b[?1049l"

/** The terminal as a whole screen of our own; null when standard input or output is none. */
export function openTerminal(input: NodeJS.ReadStream, output: NodeJS.WriteStream): Terminal | null {
  if (!input.isTTY || !output.isTTY) return null
  emitKeypressEvents(input)
  const begin = (): void => {
    input.setRawMode(true)
    input.resume()
    output.write(enter)
  }
  const end = (): void => {
    output.write(leave)
    input.setRawMode(false)
    input.pause()
  }
  begin()
  let isAside = false
  return {
    size: () => ({ columns: output.columns, rows: output.rows }),
    draw: (lines) => {
      if (!isAside) output.write(`\u001b[H${lines.map((line) => `${line}\u001b[K`).join("\r\n")}\u001b[J`)
    },
    onKey: (listener) => {
      input.on("keypress", (text: string | undefined, { name, sequence, ctrl }: Pressed) => {
        if (!isAside) listener({ name: name ?? sequence ?? "", text: text ?? "", ctrl: ctrl === true })
      })
    },
    onResize: (listener) => void output.on("resize", listener),
    aside: async (work) => {
      isAside = true
      end()
      try {
        return await work()
      } finally {
        begin()
        isAside = false
      }
    },
    close: end,
  }
}
