import { expect, it } from "vitest"
import { openScene } from "./scene.ts"
import { waitingClients } from "./waiting-clients.ts"

/** The clocks of a real wait, shortened together: what matters is that a person takes longer than a client waits for one request. */
const timeoutMs = 3_000
const answeredAfterMs = 4_500
const times = { legMs: 1_000, budgetMs: 1_000 }

// Nearly all of it is waiting, and each has a gateway of its own.
it.concurrent.each(waitingClients)(
  "a person answers after the client's time limit: $name gets its result",
  {
    timeout: 60_000,
  },
  async ({ wait }) => {
    const scene = await openScene({ times })
    const waiting = wait(scene.url, "patience", timeoutMs)
    await scene.onlooker.sees("patience", "pending")
    const answered = new Promise((resolve) => setTimeout(resolve, answeredAfterMs)).then(() =>
      scene.answer("patience", "approve"),
    )
    const { result, requests } = await waiting
    await answered
    expect(result).toEqual([{ type: "text", text: "did patience" }])
    expect(requests).toBeGreaterThan(1)
    expect((await scene.onlooker.recordsOf("patience")).map(({ status }) => status)).toEqual(["succeeded"])
    expect(scene.runs("patience")).toBe(1)
    await scene.close()
  },
)
