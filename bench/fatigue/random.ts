/** Numbers that look random and are the same in every run. */
export type Random = {
  readonly number: () => number
  readonly below: (most: number) => number
  readonly pick: <T>(list: readonly T[]) => T
  readonly weighted: <T>(list: ReadonlyArray<readonly [weight: number, item: T]>) => T
}

export function seeded(seed: number): Random {
  let state = seed >>> 0
  const number = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (most: number) => Math.floor(number() * most)
  return {
    number,
    below,
    pick: (list) => {
      const item = list[below(list.length)]
      if (item === undefined) throw new RangeError("There is nothing to pick from.")
      return item
    },
    weighted: (list) => {
      let at = number() * list.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, item] of list) {
        at -= weight
        if (at < 0) return item
      }
      throw new RangeError("There is nothing to pick from.")
    },
  }
}
