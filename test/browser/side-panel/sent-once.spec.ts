/** A call of the standalone side panel, and Chrome, which repeats requests by itself. */
import { startCuttingServer } from "../fixtures/side-panel/http2-server.ts"
import { addServer, allow, messages, newThread, place, say, setModel } from "../fixtures/side-panel/in-panel.ts"
import { openPanelBrowser } from "../fixtures/side-panel/panel-browser.ts"
import { expect, test } from "../fixtures/test.ts"

test("15: a server over HTTP/2, or HTTP/1.1 with TLS, that cuts the connection instead of answering is sent the call once", async ({
  provider,
}) => {
  const servers = { two: await startCuttingServer("h2"), one: await startCuttingServer("http/1.1") }
  const browser = await openPanelBrowser(["https://127.0.0.1/*"])
  try {
    const panel = await browser.openPanel()
    await setModel(panel, `${provider.url}/v1`)
    await place(panel, "Servers")
    for (const [name, { url }] of Object.entries(servers)) await addServer(panel, name, url)
    for (const [name, { seen }] of Object.entries(servers)) {
      provider.forget()
      provider.next(
        { kind: "answer", call: { name: `${name}__pay`, args: {} } },
        { kind: "answer", say: "I cannot tell." },
      )
      await newThread(panel)
      await say(panel, `Pay ${name}`)
      await allow(panel).click()
      await expect(messages(panel).getByText("I cannot tell.")).toBeVisible()
      await expect(messages(panel).getByText("Outcome unknown")).toBeVisible()
      const version = name === "two" ? "2.0" : "1.1"
      expect(seen.filter((each) => each.endsWith("tools/call"))).toEqual([`${version} tools/call`])
    }
  } finally {
    await browser.close()
    for (const { close } of Object.values(servers)) close()
  }
})
