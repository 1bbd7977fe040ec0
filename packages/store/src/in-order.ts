import type { EpochMs } from "@byleave/core"

type Position = { readonly createdAt: EpochMs; readonly id: string }

export function oldestFirst(a: Position, b: Position): number {
  return a.createdAt - b.createdAt || compare(a.id, b.id)
}

export function newestFirst(a: Position, b: Position): number {
  return oldestFirst(b, a)
}

export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
