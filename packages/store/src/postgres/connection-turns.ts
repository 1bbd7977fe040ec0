/**
 * Who reads next. A read occupies one of few connections, and whoever has many waiting must not keep the others from theirs.
 *
 * I1. No more reads are under way than there are connections: nobody waits within the driver, where a long wait passes for a server that is unreachable.
 * I2. Readers take turns: whoever has many reads waiting lets another's go before its second. One reader's begin in the order of asking.
 * I3. However much one reader asks for, one connection is left to the others.
 */
export type ConnectionTurns = <Result>(read: () => Promise<Result>, reader?: string) => Promise<Result>

/** The reader of what is read once for all who ask meanwhile, and of the service's own upkeep. */
export const everybody = ""

/** `readerOf`: for whom the present work is done. */
export function createConnectionTurns(connections: number, readerOf: () => string = () => everybody): ConnectionTurns {
  /** By reader; the first one is next. */
  const waiting = new Map<string, Array<() => void>>()
  const underWay = new Map<string, number>()
  let inAll = 0
  const mayBegin = (reader: string): boolean =>
    inAll < connections && (underWay.get(reader) ?? 0) < Math.max(1, connections - 1)
  const begin = (reader: string): void => {
    inAll += 1
    underWay.set(reader, (underWay.get(reader) ?? 0) + 1)
  }
  const end = (reader: string): void => {
    inAll -= 1
    const left = (underWay.get(reader) ?? 1) - 1
    if (left === 0) underWay.delete(reader)
    else underWay.set(reader, left)
    beginNext()
  }
  const beginNext = (): void => {
    for (const [reader, reads] of waiting) {
      if (!mayBegin(reader)) continue
      const read = reads.shift()
      // Behind everybody else, with what it has left.
      waiting.delete(reader)
      if (reads.length > 0) waiting.set(reader, reads)
      begin(reader)
      read?.()
      return
    }
  }
  return async (read, reader = readerOf()) => {
    if (mayBegin(reader)) begin(reader)
    else {
      await new Promise<void>((resolve) => {
        const own = waiting.get(reader) ?? []
        own.push(resolve)
        waiting.set(reader, own)
      })
    }
    try {
      return await read()
    } finally {
      end(reader)
    }
  }
}
