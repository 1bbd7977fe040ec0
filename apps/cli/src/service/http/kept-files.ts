/**
 * Files for anybody who asks, also without a credential: whoever asks for many and reads none of them must not make the service keep them.
 *
 * I1. Each file is in memory once, however many answers hold it; one that a build has replaced is read anew.
 * I2. An answer gives the next small piece only once the last one was taken, so that a connection that nobody reads holds no more of its own.
 */
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"

export type KeptFiles = {
  /** Asked each time: a build may put other files there while the service runs. */
  readonly has: (name: string) => boolean
  /** Undefined: it is not there. */
  readonly file: (name: string) => FileInMemory | undefined
}

export type FileInMemory = { readonly bytes: number; readonly body: () => ReadableStream<Uint8Array<ArrayBuffer>> }

/** A connection that encrypts copies a piece. */
export const pieceBytes = 16 * 1024

type Kept = { readonly version: string; readonly content: Uint8Array<ArrayBuffer> }

/** `folder` has few files, and nobody but us puts any there. */
export function createKeptFiles(folder: string): KeptFiles {
  const kept = new Map<string, Kept>()
  const versionOf = (name: string): string | undefined => {
    const found = statSync(join(folder, name), { throwIfNoEntry: false })
    return found?.isFile() === true ? `${found.mtimeMs} ${found.size} ${found.ino}` : undefined
  }
  const read = (name: string, version: string): Kept => {
    const before = kept.get(name)
    if (before?.version === version) return before
    for (const other of kept.keys()) if (versionOf(other) === undefined) kept.delete(other)
    const now = { version, content: new Uint8Array(readFileSync(join(folder, name))) }
    kept.set(name, now)
    return now
  }
  return {
    has: (name) => versionOf(name) !== undefined,
    file: (name) => {
      const version = versionOf(name)
      if (version === undefined) return undefined
      const { content } = read(name, version)
      return { bytes: content.byteLength, body: () => inPieces(content) }
    },
  }
}

/** Views of the content: no piece has bytes of its own. */
function inPieces(content: Uint8Array<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let given = 0
  const pull = (controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): void => {
    const piece = content.subarray(given, given + pieceBytes)
    given += piece.byteLength
    if (piece.byteLength === 0) controller.close()
    else controller.enqueue(piece)
  }
  return new ReadableStream({ pull }, { highWaterMark: 0 })
}
