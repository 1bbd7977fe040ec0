import type { Duplex } from "node:stream"

export type LineWriter = {
  /** `isLate`: nobody waits for it, so that it goes together with what is written next, or in a moment by itself. */
  readonly write: (text: string, isLate: boolean) => void
  readonly flush: () => void
}

/** A write costs more than most of what is done between two of them. */
const momentMs = 2

/** A reader so slow that this much waits for it is disconnected. */
const mostWaiting = 64 * 1024 * 1024

export function lineWriter(socket: Duplex): LineWriter {
  let late = ""
  let isDue = false
  const send = (text: string): void => {
    // Text that somebody waits for goes first.
    const all = text + late
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
      setTimeout(flush, momentMs)
    },
    flush,
  }
}
