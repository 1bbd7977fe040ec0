import { describe, expect, it } from "vitest"
import { createFoldBudget } from "./fold-budget.ts"

/** Folds that close behind them once they are open, as a page's do. */
function page(most: number) {
  const opened: string[] = []
  let closed = 0
  const budget = createFoldBudget((count) => {
    closed = count
  }, most)
  const add = (name: string, lines: number, more: { wasOpen?: boolean; inner?: () => void } = {}): void => {
    const leave = budget.closed({
      lines,
      wasOpen: more.wasOpen ?? false,
      open: () => {
        opened.push(name)
        queue.push(() => {
          leave()
          more.inner?.()
        })
      },
    })
  }
  const queue: (() => void)[] = []
  const settle = (): void => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) next()
  }
  return {
    ...{ opened, add, settle, closed: () => closed },
    press: () => {
      budget.openSome()
      settle()
    },
  }
}

describe("opening all that is folded", () => {
  it("I1: stops where a page has enough to draw, and goes on with the next press", () => {
    const { opened, add, press, closed } = page(100)
    for (const name of ["a", "b", "c", "d"]) add(name, 60)
    expect(closed()).toBe(4)
    press()
    expect(opened).toEqual(["a", "b"])
    expect(closed()).toBe(2)
    press()
    expect(opened).toEqual(["a", "b", "c", "d"])
    expect(closed()).toBe(0)
  })

  it("I1: opens one that is larger than all of it, or nothing would ever open it", () => {
    const { opened, add, press } = page(100)
    add("large", 1_000)
    add("small", 1)
    press()
    expect(opened).toEqual(["large"])
  })

  it("I2: opens what appears within, as long as there is room", () => {
    const { opened, add, press, closed } = page(100)
    add("outer", 10, {
      inner: () => add("inner", 80, { inner: () => add("deep", 50, { inner: () => add("last", 1) }) }),
    })
    press()
    expect(opened).toEqual(["outer", "inner", "deep"])
    expect(closed()).toBe(1)
  })

  it("I3: leaves closed what somebody closed, until the next press", () => {
    const { opened, add, press, settle } = page(100)
    add("a", 1)
    press()
    add("a again", 1, { wasOpen: true })
    settle()
    expect(opened).toEqual(["a"])
    press()
    expect(opened).toEqual(["a", "a again"])
  })
})
