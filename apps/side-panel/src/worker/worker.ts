/**
 * The extension's service worker. Chrome ends it whenever it likes: everything that must be known afterwards is in the browser's storage.
 *
 * I1. Messages of anybody but the panel's own page are not answered.
 * I2. It decides nothing: what it is asked to send was decided about in the panel.
 */
import { followSettings } from "../settings/settings.ts"
import { isOwnPage, type PanelMessage } from "../wire/messages.ts"
import { answerMessage } from "./answer-message.ts"
import { createCallNotes } from "./call-notes.ts"
import { createCarryOut } from "./carry-out.ts"
import { createMcpServers } from "./mcp-servers.ts"
import { onAlarm, openPanel, recountWaiting, showWaiting } from "./show-waiting.ts"

// The extension forbids itself to evaluate text, so schemas must not even try.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

const servers = createMcpServers()
const calls = createCarryOut({ connect: servers.connect, notes: createCallNotes(chrome.storage.session) })
const here = { id: chrome.runtime.id, page: chrome.runtime.getURL("panel.html") }

/** Chrome ends a worker that has been quiet for 30 seconds, whatever it waits for. */
setInterval(() => {
  if (calls.isBusy()) void chrome.runtime.getPlatformInfo()
}, 20_000)

chrome.runtime.onMessage.addListener((message, sender, respond) => {
  if (!isOwnPage(sender, here)) return false
  void answerMessage(message as PanelMessage, { servers, calls, showWaiting }).then(respond)
  return true
})

chrome.alarms.onAlarm.addListener(({ name }) => void onAlarm(name))
chrome.notifications.onClicked.addListener((id) => {
  void chrome.notifications.clear(id)
  void openPanel()
})
chrome.runtime.onInstalled.addListener(() => void openByClick())
chrome.runtime.onStartup.addListener(() => void openByClick())
// Each worker begins with the number as it is: the browser may have been closed since the last one, or paired.
void recountWaiting()
followSettings(() => void recountWaiting())

async function openByClick(): Promise<void> {
  await chrome.sidePanel.setPanelBehavior({ openPanelOnActionClick: true })
}
