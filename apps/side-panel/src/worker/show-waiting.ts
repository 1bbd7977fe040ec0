/** The badge, and a notification that only opens the panel. */
import { countWaiting } from "@byleave/store/indexeddb"
import { readSettings, storeName } from "../settings/settings.ts"
import type { WaitingNews } from "../wire/messages.ts"

const recount = "recount"
const prefix = "waiting:"

export async function showWaiting({ ids, firstEnds, arrived }: WaitingNews): Promise<void> {
  await drawBadge(ids.length, firstEnds)
  const shown = Object.keys(await chrome.notifications.getAll())
  const over = shown.filter((name) => name.startsWith(prefix) && !ids.includes(name.slice(prefix.length)))
  for (const name of over) await chrome.notifications.clear(name)
  if (arrived === null) return
  await chrome.notifications.create(`${prefix}${arrived.id}`, {
    type: "basic",
    iconUrl: chrome.runtime.getURL("icon-192.png"),
    title: "A call waits for your approval",
    message: arrived.words,
  })
}

async function drawBadge(count: number, firstEnds: number | null): Promise<void> {
  await chrome.action.setBadgeBackgroundColor({ color: "#7f5200" })
  await chrome.action.setBadgeText({ text: count === 0 ? "" : count > 99 ? "99+" : String(count) })
  const words = count === 0 ? "Open Byleave" : `Open Byleave: ${count === 1 ? "1 call waits" : `${count} calls wait`}`
  await chrome.action.setTitle({ title: words })
  if (firstEnds === null) await chrome.alarms.clear(recount)
  else await chrome.alarms.create(recount, { when: firstEnds + 1_000 })
}

/** Counts anew where nobody may have the panel open: when the worker starts, and when a call's time is over. */
export async function recountWaiting(): Promise<void> {
  // A service tells of its calls itself, once the panel is opened.
  if ((await readSettings()).pairedWith !== null) return
  const { count, firstEnds } = await countWaiting(indexedDB, storeName, Date.now())
  await drawBadge(count, firstEnds)
}

export async function onAlarm(name: string): Promise<void> {
  if (name === recount) await recountWaiting()
}

export async function openPanel(): Promise<void> {
  const { id } = await chrome.windows.getLastFocused()
  try {
    await chrome.sidePanel.open({ windowId: id ?? 0 })
  } catch {
    // Chrome opens the side panel only by a click on the extension: then it opens in a small window.
    const url = chrome.runtime.getURL("panel.html")
    await chrome.windows.create({ url, type: "popup", width: 400, height: 720 })
  }
}
