import { StoreError } from "@byleave/core"
import pg from "pg"
import { describe, expect, it } from "vitest"
import { failureOf, isAboutValues, storeErrorOf } from "./store-error-of.ts"

const sqlError = (code: string) => Object.assign(new pg.DatabaseError(`message of ${code}`, 0, "error"), { code })
const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" })

describe("errors of the driver", () => {
  it.each([
    { name: "a full disk", cause: sqlError("53100"), code: "full", failure: "refused" },
    { name: "a read-only server", cause: sqlError("25006"), code: "read-only", failure: "refused" },
    { name: "missing rights", cause: sqlError("42501"), code: "read-only", failure: "refused" },
    { name: "missing tables", cause: sqlError("42P01"), code: "gone", failure: "refused" },
    { name: "damaged data", cause: sqlError("XX001"), code: "corrupt", failure: "refused" },
    { name: "a deadlock", cause: sqlError("40P01"), code: "busy", failure: "contended" },
    { name: "a lock not had in time", cause: sqlError("55P03"), code: "busy", failure: "contended" },
    { name: "a server shutting down", cause: sqlError("57P01"), code: "unavailable", failure: "lost" },
    { name: "a wrong password", cause: sqlError("28P01"), code: "unavailable", failure: "refused" },
    { name: "anything else it says", cause: sqlError("22P02"), code: "unavailable", failure: "refused" },
    { name: "no server", cause: refused, code: "unavailable", failure: "lost" },
    {
      name: "no server at several addresses",
      cause: new AggregateError([refused]),
      code: "unavailable",
      failure: "lost",
    },
    { name: "our own", cause: new StoreError("too-new", "x"), code: "too-new", failure: "refused" },
  ] as const)("$name is $code, $failure", ({ cause, code, failure }) => {
    const error = storeErrorOf(cause)
    expect(error).toBeInstanceOf(StoreError)
    expect(error.code).toBe(code)
    expect(failureOf(cause)).toBe(failure)
  })

  it("tell what is wrong with the values, also inside our own", () => {
    expect(isAboutValues(sqlError("22021"))).toBe(true)
    expect(isAboutValues(storeErrorOf(sqlError("54000")))).toBe(true)
    expect(isAboutValues(sqlError("53100"))).toBe(false)
  })

  it("name the address that was tried", () => {
    expect(storeErrorOf(new AggregateError([refused])).message).toContain("ECONNREFUSED")
  })
})
