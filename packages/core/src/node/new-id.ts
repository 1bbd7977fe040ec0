import { randomBytes } from "node:crypto"

const poolSize = 16 * 256
let pool = Buffer.alloc(0)
let used = 0

/** A UUID whose first part is the time (version 7), so that what is made together lies together in an index. */
export function newId(now: number = Date.now()): string {
  if (used === pool.length) {
    pool = randomBytes(poolSize)
    used = 0
  }
  const bytes = pool.subarray(used, used + 16)
  used += 16
  bytes.writeUIntBE(now, 0, 6)
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  const hex = bytes.toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
