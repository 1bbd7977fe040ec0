/**
 * The extension's service worker. Chrome ends it whenever it likes: everything that must be known afterwards is in the browser's storage.
 *
 * I1. Messages of anybody but the panel's own page are not answered.
 * I2. It decides nothing: what it is asked to send was decided about in the panel.
 */
import { followSettings } from "../settings/settings.ts"
import { isOwnPage, type ListedServer, type PanelMessage, readType, type WorkerReply } from "../wire/messages.ts"
import { noteOf, shortenNotes, sweepNotes, writeNote } from "./call-notes.ts"
import { createCarryOut } from "./carry-out.ts"
import { createMcpServers } from "./mcp-servers.ts"
import { onAlarm, openPanel, recountWaiting, showWaiting } from "./show-waiting.ts"

// The extension forbids itself to evaluate text, so schemas must not even try.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

const servers = createMcpServers()
const calls = createCarryOut({ connect: servers.connect, noteOf, writeNote, shortenNotes, now: Date.now })
const here = { id: chrome.runtime.id, page: chrome.runtime.getURL("panel.html") }

/** Chrome ends a worker that has been quiet for 30 seconds, whatever it waits for. */
setInterval(() => {
  if (calls.isBusy()) void chrome.runtime.getPlatformInfo()
}, 20_000)

chrome.runtime.onMessage.addListener((message, sender, respond) => {
  if (!isOwnPage(sender, here)) return false
  answer(message as PanelMessage).then(respond, (error: unknown) => respond(failure(error)))
  return true
})

async function answer(message: PanelMessage): Promise<WorkerReply<unknown>> {
  if (message.type === "panel/waiting") {
    await showWaiting(message.payload)
    return { success: true, data: null }
  }
  const asked = readType(message.type)
  if (asked === null) return { success: false, error: "The worker does not know this message." }
  const { server, verb } = asked
  switch (verb) {
    case "tool/call": {
      const reply = await calls.call(
        server,
        (message as Extract<PanelMessage, { type: `mcp/${string}/tool/call` }>).payload,
      )
      void sweepNotes()
      return reply
    }
    case "tool/outcome": {
      const reply = await calls.outcome(keyIn(message))
      return { success: true, data: reply }
    }
    case "tool/cancel":
      calls.cancel(keyIn(message))
      return { success: true, data: null }
    case "tools/list":
      return { success: true, data: await listed(server, message) }
    case "disconnect":
      await servers.disconnect(server)
      return { success: true, data: null }
  }
}

function listed(server: string, { payload }: PanelMessage): Promise<ListedServer> {
  const candidate = "candidate" in payload ? payload.candidate : undefined
  return candidate === undefined ? servers.list(server) : servers.tryOut(candidate)
}

function keyIn({ payload }: PanelMessage): string {
  return "key" in payload ? payload.key : ""
}

function failure(error: unknown): WorkerReply<never> {
  return { success: false, error: error instanceof Error ? error.message : String(error) }
}

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
