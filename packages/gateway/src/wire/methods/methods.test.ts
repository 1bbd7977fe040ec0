import { describe, expect, it } from "vitest"
import { legacyVersions, modernVersions } from "../versions.ts"
import { isProtocolMethod, methodRow, methodTable } from "./methods.ts"

const revisions = [...legacyVersions, ...modernVersions]
const senders = ["client", "server"] as const
const forms = ["request", "notification"] as const
const names = [...new Set(methodTable.map(({ method }) => method))]

describe("the table of methods", () => {
  it("I1: lets a message pass only from the side, in the form and in the revisions of its row", () => {
    for (const method of names) {
      for (const from of senders) {
        for (const form of forms) {
          const row = methodTable.find((one) => one.method === method && one.from === from && one.form === form)
          for (const revision of revisions) {
            const passes = row !== undefined && row.revisions[0] <= revision && revision <= row.revisions[1]
            expect(methodRow(from, form, method, revision), `${from} ${form} ${method} ${revision}`).toBe(
              passes ? row : undefined,
            )
          }
        }
      }
    }
  })

  it("I2: names all params of whatever a client sends on to a server", () => {
    const open = methodTable.filter(({ from, handling, params }) => {
      return from === "client" && handling !== "here" && params === undefined
    })
    expect(open).toEqual([])
  })

  it.each(["shell/exec", "tools/call ", "Tools/Call", "tools/call\n", "constructor", "", "notifications/cancelled"])(
    "does not know %j as a request",
    (method) => {
      expect(isProtocolMethod(method)).toBe(false)
      for (const revision of revisions) expect(methodRow("client", "request", method, revision)).toBeUndefined()
    },
  )
})
