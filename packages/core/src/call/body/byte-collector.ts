/**
 * Joins bytes as they arrive. Pieces are copied into one buffer that grows, so that what comes byte by byte takes up no more than what comes
 * at once; a single piece is not copied at all.
 */
export class ByteCollector {
  #bytes: Uint8Array = nothing
  #size = 0
  /** Whether the buffer is ours to write to: the first piece is its sender's. */
  #isOwn = false

  get size(): number {
    return this.#size
  }

  add(piece: Uint8Array): void {
    const size = this.#size + piece.byteLength
    if (this.#size === 0) {
      this.#bytes = piece
      this.#isOwn = false
    } else {
      if (!this.#isOwn || size > this.#bytes.byteLength) this.#grow(size * 2)
      this.#bytes.set(piece, this.#size)
    }
    this.#size = size
  }

  /** All that was added since it was last taken. */
  take(): Uint8Array {
    const taken = this.#isOwn ? this.#bytes.subarray(0, this.#size) : this.#bytes
    this.#bytes = nothing
    this.#size = 0
    this.#isOwn = false
    return taken
  }

  #grow(capacity: number): void {
    const grown = new Uint8Array(capacity)
    grown.set(this.#bytes.subarray(0, this.#size))
    this.#bytes = grown
    this.#isOwn = true
  }
}

const nothing = new Uint8Array(0)
