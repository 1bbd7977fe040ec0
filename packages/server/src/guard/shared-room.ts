/**
 * Room that the programs of one credential share: all that a person wraps have one.
 *
 * I1. One program alone may have all of it; whatever others have, something is left for one that comes, in number and in bytes.
 * I2. All of them together have no more than a third above it, and one piece each, however many there are.
 */
import { isFairShare } from "@byleave/core"

/** `program`: which of those that share the credential `token`, by the name of its line; empty: it has none. */
export type OneProgram = { readonly token: string; readonly program: string }

/** `bytes`: of all pieces together. */
export type Room = { readonly pieces: number; readonly bytes: number }

export type SharedRoom = {
  /** One piece alone may always come. */
  readonly mayEnter: (program: string, bytes: number) => boolean
  readonly enter: (program: string, bytes: number) => void
  readonly leave: (program: string, bytes: number) => void
  readonly isEmpty: () => boolean
}

type Count = { pieces: number; bytes: number }

export function createSharedRoom(most: Room): SharedRoom {
  const programs = new Map<string, Count>()
  const all: Count = { pieces: 0, bytes: 0 }
  const add = (program: string, pieces: number, bytes: number): void => {
    const own = programs.get(program) ?? { pieces: 0, bytes: 0 }
    programs.set(program, own)
    own.pieces += pieces
    own.bytes += bytes
    all.pieces += pieces
    all.bytes += bytes
    if (own.pieces === 0) programs.delete(program)
  }
  return {
    mayEnter: (program, bytes) => {
      const own = programs.get(program)
      return (
        own === undefined ||
        (isFairShare(own.pieces + 1, all.pieces + 1, most.pieces) &&
          (bytes === 0 || isFairShare(own.bytes + bytes, all.bytes + bytes, most.bytes)))
      )
    },
    enter: (program, bytes) => add(program, 1, bytes),
    leave: (program, bytes) => add(program, -1, -bytes),
    isEmpty: () => all.pieces === 0,
  }
}
