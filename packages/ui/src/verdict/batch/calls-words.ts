/** `1 call`, `3 calls`. */
export function callsWords(count: number): string {
  return count === 1 ? "1 call" : `${count} calls`
}
