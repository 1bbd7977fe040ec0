import { afterEach, expect, it } from "vitest"
import type { NoticeListener } from "../../wire/exchange.ts"
import type { Notice } from "../../wire/message.ts"
import { resourceNotices } from "../../wire/methods/resource-notices.ts"
import { ask, legacyCaller, modernCaller, openRelay, policyOf, resultOf, rule } from "../fixtures/open-relay.ts"
import { plainServer } from "../fixtures/plain-server.ts"

const opened: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

const eras = ["legacy", "modern"] as const
const cases = [...resourceNotices].flatMap((method) =>
  eras.flatMap((server) => eras.map((client) => ({ method, server, client }))),
)

it("servers say one thing of one resource: that it was updated", () => {
  expect([...resourceNotices]).toEqual(["notifications/resources/updated"])
})

it.each(cases)(
  "$method of a $server server reaches a $client client that subscribed and may know, whole",
  async ({ method, server: era, client }) => {
    const capabilities = { tools: {}, resources: { subscribe: true } }
    const plain = await plainServer({
      era,
      capabilities,
      streams: true,
      answers: (asked) => (asked === "resources/subscribe" ? {} : undefined),
    })
    opened.push(plain.end)
    const relay = await openRelay([plain.server], { policy: policyOf([rule("hide", "plain(resource:a://1/secret*)")]) })
    opened.push(relay.close)
    const backend = relay.backend("plain")
    const caller = client === "modern" ? modernCaller() : legacyCaller()
    const heard: Notice[] = []
    const listener: NoticeListener = {
      notify: (notice) => heard.push(notice),
      inquire: async () => ({ kind: "error", error: { code: -32601, message: "no" } }),
      ...(client === "modern" ? { wants: { lists: new Set(), resources: new Set(["a://1", "a://last"]) } } : {}),
    }
    const stop = await backend.attend(caller, listener)
    opened.push(async () => stop())
    if (client === "legacy") {
      for (const uri of ["a://1", "a://last"])
        await resultOf(ask(backend, caller, { method: "resources/subscribe", params: { uri } }))
    }
    await expect
      .poll(() => {
        plain.say(method, { uri: "a://last", again: true })
        return heard.length
      })
      .toBeGreaterThan(0)
    heard.length = 0
    for (const uri of ["a://1/secret", "a://other", "a://1"]) plain.say(method, { uri, vendor: { kept: true } })
    await expect.poll(() => heard.some(({ params }) => params?.uri === "a://1")).toBe(true)
    expect(heard.filter(({ params }) => params?.again !== true)).toEqual([
      { method, params: { uri: "a://1", vendor: { kept: true } } },
    ])
  },
)
