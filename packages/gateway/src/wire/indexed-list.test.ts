import fc from "fast-check"
import { expect, it } from "vitest"
import { createIndexedList, type Indexed } from "./indexed-list.ts"

it("holds what was added and not removed, whatever the order", () => {
  const step = fc.record({ adds: fc.boolean(), which: fc.nat(9) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const list = createIndexedList<Indexed>()
      const items: Indexed[] = Array.from({ length: 10 }, () => ({ index: -1 }))
      const held = new Set<Indexed>()
      for (const { adds, which } of steps) {
        const item = items[which] as Indexed
        if (adds && !held.has(item)) list.add(item)
        if (!adds) list.remove(item)
        if (adds) held.add(item)
        else held.delete(item)
      }
      expect(new Set(list.all())).toEqual(held)
      expect(list.size()).toBe(held.size)
    }),
  )
})
