import { expect, it } from "vitest"
import { createUnreadBudget } from "./unread-budget.ts"

const limits = { perPrincipal: 100, inAll: 150 }

function open(most = limits) {
  let now = 0
  const brokenOff: string[] = []
  const budget = createUnreadBudget(() => now, most)
  /** An answer of so many bytes that nobody has read. */
  const answer = (principal: string, name: string, size: number, readAt?: () => number) => {
    const opened = {
      ...{ principal, size },
      bytes: () => opened.size,
      ...(readAt && { readAt }),
      breakOff: () => void brokenOff.push(name),
    }
    budget.open(opened)
    return opened
  }
  const pass = (ms: number): void => {
    now += ms
  }
  return { budget, answer, brokenOff, pass, now: () => now }
}

it("I1: what a principal leaves unread is counted together, until it is read, and no other's with it", () => {
  const { budget, answer, brokenOff } = open()
  const first = answer("ana", "first", 60)
  answer("ana", "second", 40)
  expect(budget.makeRoom("ana", 1, "given-up")).toBe(false)
  expect(budget.makeRoom("bob", 40, "given-up")).toBe(true)
  first.size = 10
  expect(budget.makeRoom("ana", 50, "given-up")).toBe(true)
  budget.close(first)
  expect(budget.makeRoom("ana", 60, "given-up")).toBe(true)
  expect(brokenOff).toEqual([])
})

it("I1: an answer larger than the limit is given alone", () => {
  const { budget, answer, brokenOff } = open()
  expect(budget.makeRoom("ana", 1_000, "given-up")).toBe(true)
  const small = answer("ana", "small", 1)
  expect(budget.makeRoom("ana", 1_000, "given-up")).toBe(false)
  budget.close(small)
  answer("ana", "large", 120)
  expect(budget.makeRoom("ana", 0, "any")).toBe(true)
  expect(brokenOff).toEqual(["large"])
})

it("I2: when all leave too much unread, whoever leaves most loses the largest answer", () => {
  const { budget, answer, brokenOff } = open()
  answer("ana", "ana's small", 40)
  answer("ana", "ana's large", 50)
  answer("bob", "bob's", 60)
  expect(budget.makeRoom("eve", 20, "given-up")).toBe(true)
  expect(brokenOff).toEqual(["ana's large"])
  expect(budget.makeRoom("bob", 60, "given-up")).toBe(false)
  expect(brokenOff).toEqual(["ana's large"])
  expect(budget.makeRoom("bob", 40, "any")).toBe(true)
})

it("I3: only what nobody has read of for a minute gives way to an answer that can be asked for again", () => {
  const { budget, answer, brokenOff, pass, now } = open()
  const begun = now()
  answer("ana", "given up", 60, () => begun)
  let readAt = now()
  answer("ana", "slow", 40, () => readAt)
  pass(59_999)
  expect(budget.makeRoom("ana", 50, "given-up")).toBe(false)
  readAt = now()
  pass(1)
  expect(budget.makeRoom("ana", 50, "given-up")).toBe(true)
  expect(brokenOff).toEqual(["given up"])
  expect(budget.makeRoom("ana", 80, "given-up")).toBe(false)
  expect(budget.makeRoom("ana", 80, "any")).toBe(true)
  expect(brokenOff).toEqual(["given up", "slow"])
})
