/** The side panel without a service: its own engine, store and servers, in a real Chromium. */
import type { Page } from "@playwright/test"
import { allow, card, messages, newThread, say } from "../fixtures/side-panel/in-panel.ts"
import { expect, expectAccessible, expectAccessibleInBoth, test } from "../fixtures/test.ts"

// One browser for all tests of this file: each works in threads of its own.
test.describe.configure({ mode: "serial" })

const cardId = async (panel: Page): Promise<string> =>
  (await messages(panel).locator("[data-request]").first().getAttribute("data-request")) ?? ""
const call = (name: string, text: string) =>
  ({ kind: "answer", call: { name: `counter__${name}`, args: { text } } }) as const

test("16: a model and a server are set up in the panel, with keys and headers sealed", async ({ alone }) => {
  const { browser, server, provider } = alone
  const panel = await browser.openPanel()
  await panel.getByRole("button", { name: "Servers", exact: true }).click()
  await panel.getByRole("button", { name: "Add a server" }).click()
  await panel.getByLabel("Name").fill("counter")
  await panel.getByLabel("Address").fill("http://127.0.0.1:9/mcp")
  await panel.getByRole("button", { name: "Test and add" }).click()
  await expect(panel.getByText("Nothing answers at 127.0.0.1:9.")).toBeVisible()
  await panel.getByLabel("Address").fill(server.url)
  await panel.getByLabel("Headers (optional)").fill("Authorization: Bearer secret-of-the-server")
  await panel.getByRole("button", { name: "Test and add" }).click()
  const shown = panel.getByRole("article", { name: "counter" })
  await expect(shown.getByText("Connected", { exact: true })).toBeVisible()
  expect(server.headers().authorization).toBe("Bearer secret-of-the-server")
  await expect(shown.getByText("Headers are set; their values are never shown.")).toBeVisible()
  await panel.getByRole("button", { name: "Settings", exact: true }).click()
  const model = panel.getByRole("region", { name: "Model" })
  await model.getByLabel("Address").fill(`${provider.url}/v1`)
  await model.getByLabel("Model", { exact: true }).fill("mock")
  await model.getByLabel("Key (optional)").fill("key-of-the-model")
  await model.getByRole("button", { name: "Save" }).click()
  await expect(model.getByText("A key is kept.")).toBeVisible()
  const kept = await panel.evaluate(() =>
    (
      globalThis as never as { chrome: { storage: { local: { get: (all: null) => Promise<object> } } } }
    ).chrome.storage.local.get(null),
  )
  expect(JSON.stringify(kept)).not.toContain("key-of-the-model")
  expect(JSON.stringify(kept)).not.toContain("secret-of-the-server")
})

test("16 R163 R176 R211: a held call outlives the browser, and runs once after a real click; the badge counts it", async ({
  alone,
}) => {
  const { browser, server, provider } = alone
  provider.next(call("write_line", "first"), { kind: "answer", say: "It is written." })
  await newThread(browser.panel())
  await say(browser.panel(), "Write the first line")
  await expect(allow(browser.panel())).toBeEnabled()
  const id = await cardId(browser.panel())
  await expect.poll(() => browser.badge()).toBe("1")
  await expectAccessibleInBoth(browser.panel())
  // A script presses the button when a person could: nobody has decided anything, and the same card is there after the restart.
  await allow(browser.panel()).evaluate((button: HTMLElement) => button.click())
  await browser
    .panel()
    .evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await expect(allow(browser.panel())).toBeEnabled()
  expect(server.written).toEqual([])

  await browser.restart()
  // Before anybody opens the panel.
  await expect.poll(() => browser.badge()).toBe("1")
  const panel = await browser.openPanel()
  await panel.getByRole("button", { name: "Threads", exact: true }).click()
  await panel.getByRole("button", { name: /^Write the first line/ }).click()
  await expect(allow(panel)).toBeVisible()
  expect(await cardId(panel)).toBe(id)
  await allow(panel).click()
  await expect(messages(panel).getByText("It is written.")).toBeVisible()
  expect(server.written).toEqual(["first"])
  await expect.poll(() => browser.badge()).toBe("")
  await expect(messages(panel).getByText(/^you allowed it/i)).toBeVisible()
})

test("a notification tells of a call that waits, only opens the panel when it is clicked, and goes when it is answered", async ({
  alone: { browser },
}) => {
  const tell = (ids: readonly string[], arrived: object | null) =>
    browser.panel().evaluate(
      (payload) =>
        (
          globalThis as never as { chrome: { runtime: { sendMessage: (message: object) => Promise<unknown> } } }
        ).chrome.runtime.sendMessage({
          type: "panel/waiting",
          payload,
        }),
      { ids, firstEnds: null, arrived },
    )
  // The panel, which has just opened, tells that nothing waits, now or a little later.
  const first = async () => {
    await tell(["a", "b"], { id: "a", words: "counter(write_line) needs your approval." })
    return browser.notifications()
  }
  await expect.poll(first).toEqual(["waiting:a"])
  expect(await browser.badge()).toBe("2")
  const opened = await browser.clickNotification("waiting:a")
  await expect(opened).toHaveURL(/\/panel\.html$/)
  await opened.close()
  expect(await browser.notifications()).toEqual([])
  // Nothing was decided by it.
  expect(await browser.badge()).toBe("2")
  await tell(["a", "b"], { id: "b", words: "counter(write_line) needs your approval." })
  expect(await browser.notifications()).toEqual(["waiting:b"])
  await tell([], null)
  expect(await browser.notifications()).toEqual([])
  expect(await browser.badge()).toBe("")
})

test("15: a worker that Chrome stops while a call is held changes nothing", async ({ alone }) => {
  const { browser, server, provider } = alone
  const panel = browser.panel()
  provider.next(call("write_line", "second"), { kind: "answer", say: "The second, too." })
  await newThread(panel)
  await say(panel, "Write the second line")
  await expect(allow(panel)).toBeVisible()
  const id = await cardId(panel)
  await browser.stopWorker()
  expect(await cardId(panel)).toBe(id)
  await panel.getByRole("button", { name: "Show it" }).click()
  // A card that has only just appeared hears no keys.
  await expect(allow(panel)).toBeEnabled()
  await panel.keyboard.press("Control+Enter")
  await expect(messages(panel).getByText("The second, too.")).toBeVisible()
  expect(server.written).toEqual(["first", "second"])
})

test("15: a worker that Chrome stops while a call runs: it ran once, and nobody claims to know the outcome", async ({
  alone,
}) => {
  const { browser, server, provider } = alone
  const panel = browser.panel()
  provider.next(call("write_slowly", "third"), { kind: "answer", say: "I cannot tell." })
  await newThread(panel)
  await say(panel, "Write the third line")
  await allow(panel).click()
  await expect.poll(() => server.written.length).toBe(3)
  await browser.stopWorker()
  server.letGo()
  await expect(messages(panel).getByText("I cannot tell.")).toBeVisible()
  await expect(messages(panel).getByText("Outcome unknown")).toBeVisible()
  expect(server.written).toEqual(["first", "second", "third"])
})

test("15: a panel that is closed while a call runs hears the outcome from the worker", async ({ alone }) => {
  const { browser, server, provider } = alone
  provider.next(call("write_slowly", "fourth"), { kind: "answer", say: "Written while you were away." })
  await newThread(browser.panel())
  await say(browser.panel(), "Write the fourth line")
  await allow(browser.panel()).click()
  await expect.poll(() => server.written.length).toBe(4)
  await browser.closePanel()
  server.letGo()
  const panel = await browser.openPanel()
  await expect(messages(panel).getByText("Written while you were away.")).toBeVisible()
  await expect(messages(panel).getByText("Outcome unknown")).toBeHidden()
  expect(server.written).toEqual(["first", "second", "third", "fourth"])
})

test("R201: a tool that fails says why in its own words, and the reply goes on; a thread is renamed", async ({
  alone,
}) => {
  const { browser, provider } = alone
  const panel = browser.panel()
  const missing = { name: "notebook__delete_note", args: { name: "nothing.md" } }
  provider.next({ kind: "answer", call: missing }, { kind: "answer", say: "There was none." })
  await newThread(panel)
  await say(panel, "Delete nothing.md")
  await expect(card(panel)).toContainText("nothing.md")
  await allow(panel).click()
  await expect(messages(panel).getByText("There was none.")).toBeVisible()
  await expect(messages(panel).getByText("Failed", { exact: true })).toBeVisible()
  await expect(messages(panel)).toContainText("There is no note called nothing.md.")
  expect(JSON.stringify(provider.requests.at(-1)?.body)).toContain("There is no note called nothing.md.")
  await panel.getByRole("button", { name: "Threads", exact: true }).click()
  await panel.getByRole("button", { name: "Rename Delete nothing.md" }).click()
  await panel.getByLabel("Title").fill("Nothing to delete")
  await panel.getByRole("button", { name: "Rename", exact: true }).click()
  await panel.getByRole("button", { name: /^Nothing to delete/ }).click()
  await expect(panel.getByRole("heading", { level: 1 })).toHaveText("Nothing to delete")
})

test("R202, R212: a server is auto-approved for a thread by one click more, marked, listed, switched off, and asked about again elsewhere", async ({
  alone,
}) => {
  const { browser, server, provider } = alone
  const panel = browser.panel()
  provider.next(call("write_line", "fifth"), call("write_line", "sixth"), { kind: "answer", say: "Both are there." })
  await newThread(panel)
  await say(panel, "Write two lines")
  await panel.getByLabel("Auto-approve all tools of counter in this thread").check()
  await panel.getByRole("button", { name: "Allow and auto-approve" }).click()
  await expect(messages(panel).getByText("Both are there.")).toBeVisible()
  await expect(messages(panel).getByText("Auto-approved")).toHaveCount(1)
  expect(server.written.slice(4)).toEqual(["fifth", "sixth"])
  await panel.getByRole("button", { name: "Permissions: 1 in this thread" }).click()
  await expect(panel.getByRole("region", { name: "Auto-approved in this thread" })).toBeVisible()
  await expectAccessible(panel)
  // Another server is asked about all the same.
  await panel.getByRole("button", { name: "Permissions: 1 in this thread" }).click()
  provider.next({ kind: "answer", call: { name: "notebook__read_note", args: { name: "none" } } })
  await say(panel, "Read a note")
  await expect(card(panel)).toContainText("notebook")
  await panel.getByRole("button", { name: "Stop" }).click()
  await expect(card(panel)).toHaveCount(0)
  await panel.getByRole("button", { name: "Permissions: 1 in this thread" }).click()
  await panel.getByRole("button", { name: "Turn off" }).click()
  await expect(panel.getByText("Nothing is auto-approved")).toBeVisible()
  const past = panel.getByRole("region", { name: "Past decisions" }).getByRole("listitem")
  await expect(past.filter({ hasText: "notebook(delete_note)" })).toContainText("Failed")
  await panel.getByRole("button", { name: "Permissions", exact: true }).click()
  provider.next(call("write_line", "asked again"))
  await say(panel, "Write another line")
  await panel.getByLabel("Auto-approve all tools of counter in this thread").check()
  expect(server.written).toHaveLength(6)
  provider.next({ kind: "answer", say: "One more." })
  await panel.getByRole("button", { name: "Allow and auto-approve" }).click()
  await expect(messages(panel).getByText("One more.")).toBeVisible()
  provider.next(call("write_line", "eighth"), { kind: "answer", say: "As you wish." })
  await newThread(panel)
  await say(panel, "Write the eighth line")
  await expect(allow(panel)).toBeVisible()
  expect(server.written).toHaveLength(7)
  await card(panel).getByRole("button", { name: /^Deny/ }).click()
  await expect(messages(panel).getByText("As you wish.")).toBeVisible()
  expect(server.written).toHaveLength(7)
  // It ended with the switch: back in the thread, nothing is auto-approved either.
  await panel.getByRole("button", { name: "Threads", exact: true }).click()
  await panel.getByRole("button", { name: /^Write two lines/ }).click()
  await expect(panel.getByRole("button", { name: "Permissions", exact: true })).toBeVisible()
})

test("R62, R212: after the browser was restarted, what is always allowed runs unasked, and what was auto-approved in a thread asks", async ({
  alone,
}) => {
  const { browser, server, provider } = alone
  const before = server.written.length
  provider.forget()
  provider.next(call("write_line", "always one"), { kind: "answer", say: "One." })
  await newThread(browser.panel())
  await say(browser.panel(), "Write always one")
  await card(browser.panel()).getByRole("button", { name: /More/ }).click()
  await browser
    .panel()
    .getByRole("menuitem", { name: /^Always allow/ })
    .first()
    .click()
  await browser
    .panel()
    .getByRole("button", { name: /^Allow/ })
    .last()
    .click()
  await expect(messages(browser.panel()).getByText("One.")).toBeVisible()
  provider.next(
    { kind: "answer", call: { name: "notebook__read_note", args: { name: "none" } } },
    { kind: "answer", say: "There is none." },
  )
  await say(browser.panel(), "Read a note")
  await browser.panel().getByLabel("Auto-approve all tools of notebook in this thread").check()
  await browser.panel().getByRole("button", { name: "Allow and auto-approve" }).click()
  await expect(messages(browser.panel()).getByText("There is none.")).toBeVisible()
  await expect(browser.panel().getByRole("button", { name: "Permissions: 1 in this thread" })).toBeVisible()
  await browser.restart()
  const panel = await browser.openPanel()
  // Auto-approval of the thread has ended with the browser.
  await panel.getByRole("button", { name: "Permissions", exact: true }).click()
  await expect(panel.getByRole("region", { name: "Always" })).toBeVisible()
  await expect(panel.getByRole("region", { name: "In other threads" })).toHaveCount(0)
  await panel.getByRole("button", { name: "Threads", exact: true }).click()
  await panel.getByRole("button", { name: /^Write always one/ }).click()
  await expect(panel.getByRole("button", { name: "Permissions", exact: true })).toBeVisible()
  provider.next(
    { kind: "answer", call: { name: "notebook__read_note", args: { name: "none" } } },
    { kind: "answer", say: "As you wish." },
  )
  await say(panel, "Read a note again")
  await card(panel).getByRole("button", { name: /^Deny/ }).click()
  await expect(messages(panel).getByText("As you wish.")).toBeVisible()
  provider.next(call("write_line", "always two"), { kind: "answer", say: "Two." })
  await newThread(panel)
  await say(panel, "Write always two")
  await expect(messages(panel).getByText("Two.")).toBeVisible()
  await expect(messages(panel).getByText("Auto-approved")).toBeVisible()
  expect(server.written.slice(before)).toEqual(["always one", "always two"])
})

test("15: a worker that Chrome stops while a call runs, and whose notes are lost: it ran once all the same", async ({
  alone,
}) => {
  const { browser, server, provider } = alone
  const panel = browser.panel()
  const before = server.written.length
  provider.next(call("write_slowly", "without a note"), { kind: "answer", say: "I cannot tell either." })
  await newThread(panel)
  await say(panel, "Write a line without a note")
  await allow(panel).click()
  await expect.poll(() => server.written.length).toBe(before + 1)
  await panel.evaluate(() =>
    (
      globalThis as never as { chrome: { storage: { session: { clear: () => Promise<void> } } } }
    ).chrome.storage.session.clear(),
  )
  await browser.stopWorker()
  server.letGo()
  await expect(messages(panel).getByText("I cannot tell either.")).toBeVisible()
  await expect(messages(panel).getByText("Outcome unknown")).toBeVisible()
  expect(server.written.slice(before)).toEqual(["without a note"])
})

test("15: a server that cuts the connection instead of answering is sent the call once, also by Chrome itself", async ({
  alone,
}) => {
  const { browser, server, provider } = alone
  const panel = browser.panel()
  const before = server.written.length
  provider.next(call("write_and_cut", "cut off"), { kind: "answer", say: "It was cut off." })
  await newThread(panel)
  await say(panel, "Write a line and cut")
  await allow(panel).click()
  await expect(messages(panel).getByText("It was cut off.")).toBeVisible()
  await expect(messages(panel).getByText("Outcome unknown")).toBeVisible()
  expect(server.written.slice(before)).toEqual(["cut off"])
})

test("a host that Chrome has not been asked for yet is not reached before the person has answered", async ({
  alone,
}) => {
  const { browser, server } = alone
  const panel = browser.panel()
  await panel.getByRole("button", { name: "Servers", exact: true }).click()
  await panel.getByRole("button", { name: "Add a server" }).click()
  await panel.getByLabel("Name").fill("elsewhere")
  await panel.getByLabel("Address").fill(server.url.replace("127.0.0.1", "elsewhere.localhost"))
  await panel.getByRole("button", { name: "Test and add" }).click()
  // Chrome's own question stands outside of every page: nobody can answer it here.
  await expect(panel.getByRole("button", { name: "Testing…" })).toBeVisible()
  await panel.getByRole("button", { name: "Cancel" }).click()
  await expect(panel.getByRole("article", { name: "elsewhere" })).toBeHidden()
  expect(server.headers().host).toContain("127.0.0.1")
})
