import { describe, expect, it } from "vitest"
import type { Reply } from "../wire/message.ts"
import { nobodyThere } from "../wire/not-asked.ts"
import { createCurrentClient, type Present } from "./current-client.ts"

function someone(name: string) {
  const heard: string[] = []
  const present: Present = {
    notify: ({ method }) => void heard.push(method),
    inquire: async ({ method }): Promise<Reply> => {
      heard.push(method)
      return { kind: "result", result: { by: name } }
    },
  }
  return { present, heard }
}

const question = { method: "elicitation/create" }
const long = 60_000

describe("whoever waits for a run", () => {
  it("I1: is told and asked; whoever was there before is not", async () => {
    const [ana, ben] = [someone("ana"), someone("ben")]
    const audience = createCurrentClient(ana.present, long)
    audience.moveTo(ben.present)
    audience.notify({ method: "notifications/progress" })
    expect(await audience.inquire(question)).toEqual({ kind: "result", result: { by: "ben" } })
    expect([ana.heard, ben.heard]).toEqual([[], ["notifications/progress", "elicitation/create"]])
  })

  it("I1, I2: once they left is not asked: the question waits for the next to come", async () => {
    const [ana, ben, eve] = [someone("ana"), someone("ben"), someone("eve")]
    const audience = createCurrentClient(ana.present, long)
    audience.moveTo(null)
    audience.notify({ method: "notifications/progress" })
    const asked = audience.inquire(question)
    audience.moveTo(ben.present)
    expect(await asked).toEqual({ kind: "result", result: { by: "ben" } })
    audience.moveTo(eve.present)
    expect([ana.heard, ben.heard, eve.heard]).toEqual([[], ["elicitation/create"], []])
  })

  it("says whether somebody is there", () => {
    const audience = createCurrentClient(someone("ana").present, long)
    expect(audience.isThere()).toBe(true)
    audience.moveTo(null)
    expect(audience.isThere()).toBe(false)
  })

  it("I3: is nobody when the run is over: a question still waiting is answered so", async () => {
    const audience = createCurrentClient(null, long)
    const asked = audience.inquire(question)
    audience.end()
    const first = await Promise.race([asked, new Promise((resolve) => setImmediate(resolve, "still waits"))])
    expect(first).toBe(nobodyThere)
  })

  it("is waited for no longer than a question has patience", async () => {
    expect(await createCurrentClient(null, 1).inquire(question)).toBe(nobodyThere)
  })
})
