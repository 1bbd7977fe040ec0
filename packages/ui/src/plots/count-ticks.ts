/**
 * Where an axis of counts is marked: from zero, in steps of 1, 2 or 5 times a power of ten, never a fraction, the last at or
 * above `most`. There are at most `wanted` steps.
 */
export function countTicks(most: number, wanted = 4): readonly number[] {
  const step = niceStep(Math.max(1, most) / wanted)
  const steps = Math.max(1, Math.ceil(most / step))
  return Array.from({ length: steps + 1 }, (_, at) => at * step)
}

function niceStep(least: number): number {
  if (least <= 1) return 1
  const power = 10 ** Math.floor(Math.log10(least))
  const nice = [1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10
  return nice * power
}
