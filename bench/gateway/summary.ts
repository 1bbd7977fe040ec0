import type { BlockCost, TargetNumbers } from "./field.ts"
import { median } from "./median.ts"
import { bareName, byleaveName, directName } from "./targets.ts"

/** The numbers of a target. Milliseconds, calls per second and megabytes; ratios are medians of the rounds' own ratios. */
export type Summary = {
  readonly name: string
  readonly problem: string | null
  readonly cpu: number
  readonly cpu16: number
  readonly treeCpu16: number
  /** CPU of Byleave over this target's, sequential and with 16 clients. */
  readonly ours: number
  readonly ours16: number
  readonly p50: number
  readonly addedP50: number
  readonly addedP95: number
  readonly perSecond16: number
  readonly ofDirect16: number
  readonly ofBare16: number
  readonly p95With16: number
  readonly megabytes: number
  readonly treeMegabytes: number
}

export function summaries(all: readonly TargetNumbers[]): readonly Summary[] {
  const named = (name: string): TargetNumbers | undefined => all.find((one) => one.name === name)
  const direct = named(directName)
  const bare = named(bareName)
  const byleave = named(byleaveName)
  return all.map((target) => {
    const { one, sixteen } = target
    return {
      name: target.name,
      problem: target.problem,
      cpu: medianOf(one, "cpuPerCall"),
      cpu16: medianOf(sixteen, "cpuPerCall"),
      treeCpu16: medianOf(sixteen, "treeCpuPerCall"),
      ours: paired(byleave?.one, one, (a, b) => a.cpuPerCall / b.cpuPerCall),
      ours16: paired(byleave?.sixteen, sixteen, (a, b) => a.cpuPerCall / b.cpuPerCall),
      p50: medianOf(one, "p50"),
      addedP50: paired(one, direct?.one, (a, b) => a.p50 - b.p50),
      addedP95: paired(one, direct?.one, (a, b) => a.p95 - b.p95),
      perSecond16: medianOf(sixteen, "perSecond"),
      ofDirect16: paired(sixteen, direct?.sixteen, (a, b) => a.perSecond / b.perSecond),
      ofBare16: paired(sixteen, bare?.sixteen, (a, b) => a.perSecond / b.perSecond),
      p95With16: medianOf(sixteen, "p95"),
      megabytes: megabytes(target.residentBytes),
      treeMegabytes: megabytes(target.treeResidentBytes),
    }
  })
}

function medianOf(blocks: readonly BlockCost[], key: keyof BlockCost): number {
  return rounded(median(blocks.map((block) => block[key])))
}

/** Compares blocks of the same round. */
function paired(
  some: readonly BlockCost[] | undefined,
  others: readonly BlockCost[] | undefined,
  compare: (a: BlockCost, b: BlockCost) => number,
): number {
  const pairs = (some ?? []).flatMap((a, round) => {
    const b = others?.[round]
    return b === undefined ? [] : [compare(a, b)]
  })
  return rounded(median(pairs))
}

/** Nothing was there to weigh: not a weight of nothing. */
function megabytes(bytes: number): number {
  return bytes === 0 ? Number.NaN : rounded(bytes / 1e6)
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
