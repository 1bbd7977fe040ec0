import { createBodyBudget } from "@byleave/core"
import { describe, expect, it } from "vitest"
import { createStdioRequests } from "./stdio-requests.ts"

const refused = (says: RegExp) => ({ message: expect.stringMatching(says) })

describe("I1: requests of a client on stdio", () => {
  it("are as many as may be open; those that ended or wait for a person do not count", () => {
    const { begin, waits, end } = createStdioRequests(2)
    expect([begin(1, 10), begin(2, 10)]).toEqual([null, null])
    expect(begin(3, 10)).toMatchObject(refused(/2 requests open.*Wait until one of them is answered/))
    waits(1)
    expect(begin(3, 10)).toBeNull()
    expect(begin(4, 10)).not.toBeNull()
    for (const id of [1, 2, 2]) end(id)
    expect(begin(4, 10)).toBeNull()
    expect(begin(5, 10)).not.toBeNull()
  })

  it("hold as much as they may together, and nothing once they wait or have ended", () => {
    const bodies = createBodyBudget(() => ({ perPrincipal: 200_000, inAll: 200_000 }))
    const { begin, waits, end } = createStdioRequests(9, bodies)
    expect([begin(1, 100_000), begin(2, 100_000)]).toEqual([null, null])
    expect(begin(3, 100_000)).toMatchObject(refused(/hold 200 kB.*Wait until one of them is answered/))
    waits(1)
    expect(begin(3, 100_000)).toBeNull()
    for (const id of [1, 2, 3]) end(id)
    expect(bodies.used()).toBe(0)
  })
})
