/** Milliseconds on the machine's own clock, which is one for all its processes. */
export function sharedClock(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
