import type { Duplex } from "node:stream"

export type LineWriter = {
  /** `isLate`: it may wait for what else this turn does, and goes together with what is written next. */
  readonly write: (text: string, isLate: boolean) => void
  readonly flush: () => void
}

/** Whoever reads so little that this much waits for them is let go. */
const mostWaiting = 64 * 1024 * 1024

export function lineWriter(socket: Duplex): LineWriter {
  let late = ""
  let isDue = false
  const send = (text: string): void => {
    const all = late + text
    late = ""
    if (all === "" || socket.destroyed || socket.writableEnded) return
    socket.write(all)
    if (socket.writableLength > mostWaiting) socket.destroy()
  }
  const flush = (): void => {
    isDue = false
    send("")
  }
  return {
    write: (text, isLate) => {
      if (!isLate) return send(text)
      late += text
      if (isDue) return
      isDue = true
      setImmediate(flush)
    },
    flush,
  }
}
