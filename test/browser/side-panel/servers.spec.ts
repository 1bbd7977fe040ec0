/** Servers of the standalone side panel: removed, at another address, and with words without end. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Page } from "@playwright/test"
import type { MockProvider } from "../../../packages/runs/src/models/fixtures/mock-provider.ts"
import { startCountingServer } from "../fixtures/side-panel/counting-server.ts"
import {
  addServer,
  allow,
  card,
  messages,
  newThread,
  place,
  removeServer,
  say,
  setModel,
  shownServer,
} from "../fixtures/side-panel/in-panel.ts"
import { expect, test } from "../fixtures/test.ts"

test.describe.configure({ mode: "serial" })

type Storage = {
  readonly get: (key: string | null) => Promise<Record<string, never>>
  readonly set: (items: object) => Promise<void>
  readonly getBytesInUse: (key: null) => Promise<number>
}
type Settings = { readonly servers: ReadonlyArray<{ readonly id: string; readonly url: string }> }

const call = (text: string) => ({ kind: "answer", call: { name: "tracker__write_line", args: { text } } }) as const

/** Has the model write a line, which is allowed for always. */
async function allowAlways(panel: Page, provider: MockProvider): Promise<void> {
  provider.next(call("one"), { kind: "answer", say: "One is there." })
  await newThread(panel)
  await say(panel, "Write one")
  await card(panel).getByRole("button", { name: /More/ }).click()
  await panel
    .getByRole("menuitem", { name: /^Always allow/ })
    .first()
    .click()
  await panel
    .getByRole("button", { name: /^Allow/ })
    .last()
    .click()
  await expect(messages(panel).getByText("One is there.")).toBeVisible()
}

/** Puts a server at another address as if the settings had been changed elsewhere. */
function moveServer(panel: Page, to: { readonly id: string; readonly url: string }): Promise<void> {
  return panel.evaluate(async ({ id, url }) => {
    const { local } = (globalThis as never as { chrome: { storage: { local: Storage } } }).chrome.storage
    const { settings } = (await local.get("settings")) as unknown as { settings: Settings }
    const servers = settings.servers.map((server) => (server.id === id ? { ...server, url } : server))
    await local.set({ settings: { ...settings, servers } })
  }, to)
}

test("what is always allowed for a server goes with it: another one of its name, at another address, asks", async ({
  alone: { browser, provider },
}) => {
  const [first, second] = [await startCountingServer(), await startCountingServer()]
  const panel = await browser.openPanel()
  await setModel(panel, `${provider.url}/v1`)
  await place(panel, "Servers")
  await addServer(panel, "tracker", first.url)
  await allowAlways(panel, provider)
  await place(panel, "Servers")
  await shownServer(panel, "tracker").getByRole("button", { name: "Remove" }).click()
  await expect(panel.getByText("Removing it also revokes what you have allowed for it")).toBeVisible()
  await shownServer(panel, "tracker").getByRole("button", { name: "Keep it" }).click()
  await removeServer(panel, "tracker")
  await addServer(panel, "tracker", second.url)
  provider.forget()
  provider.next(call("two"))
  await newThread(panel)
  await say(panel, "Write two")
  await expect(allow(panel)).toBeVisible()
  // Its call goes with it, too.
  await place(panel, "Servers")
  await removeServer(panel, "tracker")
  await place(panel, "Servers")
  await expect(messages(panel)).toContainText("It was withdrawn before it ran: its server was removed")
  await expect(card(panel)).toHaveCount(0)
  expect([first.written, second.written]).toEqual([["one"], []])
  await first.close()
  await second.close()
})

test("a server at another address is a changed one: what waits is not sent there, and what was allowed asks again", async ({
  alone: { browser, provider },
}) => {
  const [first, second] = [await startCountingServer(), await startCountingServer()]
  const panel = browser.panel()
  provider.forget()
  await place(panel, "Servers")
  await addServer(panel, "tracker", first.url)
  await allowAlways(panel, provider)
  await moveServer(panel, { id: "tracker", url: second.url })
  provider.next(call("two"), { kind: "answer", say: "Not there." })
  await newThread(panel)
  await say(panel, "Write two elsewhere")
  await expect(allow(panel)).toBeVisible()
  // Between the question and the answer, it moves back.
  await moveServer(panel, { id: "tracker", url: first.url })
  await allow(panel).click()
  await expect(messages(panel).getByText("Not there.")).toBeVisible()
  expect([first.written, second.written]).toEqual([["one"], []])

  await moveServer(panel, { id: "tracker", url: second.url })
  await place(panel, "Servers")
  await shownServer(panel, "tracker").getByRole("button", { name: "Test" }).click()
  await expect(shownServer(panel, "tracker").getByText("Changed since verified")).toBeVisible()
  await expect(shownServer(panel, "tracker").getByText(`Its tools were accepted at ${first.url}`)).toBeVisible()
  await shownServer(panel, "tracker").getByRole("button", { name: "Accept 3 tools" }).click()
  await expect(shownServer(panel, "tracker").getByText("Verified", { exact: true })).toBeVisible()
  provider.next(call("three"), { kind: "answer", say: "Three is there." })
  await newThread(panel)
  await say(panel, "Write three")
  await allow(panel).click()
  await expect(messages(panel).getByText("Three is there.")).toBeVisible()
  expect([first.written, second.written]).toEqual([["one"], ["three"]])
  await place(panel, "Servers")
  await removeServer(panel, "tracker")
  await first.close()
  await second.close()
})

test("a server whose errors are 9 MB long fills neither the storage nor the page, and can be removed", async ({
  alone: { browser },
}) => {
  let message = "Not yet."
  const http = createServer(async (request, response) => {
    let text = ""
    for await (const piece of request) text += piece
    const { id, method } = JSON.parse(text === "" ? "{}" : text) as { readonly id?: number; readonly method?: string }
    if (id === undefined) return response.writeHead(request.method === "POST" ? 202 : 405).end()
    const serverInfo = { name: "talker", version: "1", title: message }
    const results = new Map<string | undefined, object>([
      ["initialize", { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo }],
      ...(message === "Not yet." ? [["tools/list", { tools: [] }] as const] : []),
    ])
    const result = results.get(method)
    const answer = result === undefined ? { error: { code: -32_000, message } } : { result }
    return response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }))
  })
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve))
  const panel = browser.panel()
  await addServer(panel, "talker", `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`)
  message = "x".repeat(9_000_000)
  await shownServer(panel, "talker").getByRole("button", { name: "Test" }).click()
  await expect(shownServer(panel, "talker").getByText("Cannot be reached")).toBeVisible()
  await expect(
    shownServer(panel, "talker")
      .getByText(/more characters\)/)
      .first(),
  ).toBeVisible()
  const used = () =>
    panel.evaluate(() =>
      (globalThis as never as { chrome: { storage: { local: Storage } } }).chrome.storage.local.getBytesInUse(null),
    )
  expect(await used()).toBeLessThan(100_000)
  // As an earlier version kept it.
  await panel.evaluate(
    (lastError) =>
      (globalThis as never as { chrome: { storage: { local: Storage } } }).chrome.storage.local.set({
        "health:talker": { state: "failing", lastConnectedAt: null, lastError, title: lastError.slice(9), icon: null },
      }),
    "y".repeat(5_000_000),
  )
  await expect(
    shownServer(panel, "talker")
      .getByText(/yyy… \(/)
      .first(),
  ).toBeVisible()
  expect(await used()).toBeLessThan(100_000)
  await removeServer(panel, "talker")
  http.closeAllConnections()
  http.close()
})
