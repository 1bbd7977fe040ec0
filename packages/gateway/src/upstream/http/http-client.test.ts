import { afterEach, expect, it } from "vitest"
import { settingOf } from "../upstream-options.ts"
import { createHttpClient, type HttpClient } from "./http-client.ts"

let client: HttpClient
afterEach(() => client.close())

it.each([
  { method: "GET", fastPath: true },
  { method: "POST", fastPath: true },
  { method: "POST", fastPath: false },
] as const)(
  "a $method with a header that no request can have fails, and nothing was sent: fast path $fastPath",
  async ({ method, fastPath }) => {
    client = createHttpClient(settingOf("tried", { now: Date.now, newId: () => "id", fastPath }))
    const url = new URL("http://127.0.0.1:9/mcp")
    const failed = new Promise((resolve, reject) => {
      client.send({
        method,
        url,
        headers: { "last-event-id": "\u2603" },
        ...(method === "POST" ? { body: "{}" } : {}),
        mayLeave: () => {
          reject(new Error("sent"))
          return true
        },
        onAnswer: reject,
        onFail: resolve,
      })
    })
    expect(await failed).toMatchObject({ code: "unreachable" })
  },
)
