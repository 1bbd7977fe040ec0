import { describe, expect, it } from "vitest"
import { remoteDefinitions } from "./remote-definitions.ts"

const live = [{ name: "a", description: "live" }, { name: "b" }, { name: "c" }]

function open(answer: unknown, status = 200) {
  const post = async () => ({ status, text: JSON.stringify(answer) })
  return remoteDefinitions({ post, get: async () => ({ status: 404, text: "" }) })
}

describe("what agents may be told, as the service says", () => {
  it("is the server's own word, another one, or nothing", async () => {
    const accepted = { name: "a", description: "accepted" }
    const gate = open({ offered: [accepted, true, null] })
    expect(await gate.offeredTools("files", live)).toEqual([accepted, live[1]])
    expect(await open({ instructions: "Accepted." }).seeInstructions("files", "Live.")).toBe("Accepted.")
    expect(await open({ instructions: null }).seeInstructions("files", "Live.")).toBeUndefined()
  })

  it.each([
    { name: "a short answer", gate: open({ offered: [true] }) },
    { name: "a failure", gate: open({ offered: [true, true, true] }, 503) },
  ])("I1: is an error after $name", async ({ gate }) => {
    await expect(gate.offeredTools("files", live)).rejects.toThrow("did not report")
  })

  it("I1: no instructions without the service's word", async () => {
    await expect(open({}, 404).seeInstructions("files", "Live.")).rejects.toThrow("did not report")
  })
})
