/** The badge, and a notification that only opens the panel. */
import { countWaiting } from "@byleave/store/indexeddb"
import { readSettings, storeName } from "../settings/settings.ts"
import type { WaitingNews } from "../wire/messages.ts"
import { pairedWaiting } from "./paired-waiting.ts"

const recount = "recount"
const look = "look"
/** As often as Chrome lets an alarm ring. */
const lookMinutes = 0.5
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

/** Counts anew where nobody may have the panel open: when the worker starts, when a call's time is over, and now and then where a service has the calls. */
export async function recountWaiting(): Promise<void> {
  const { pairedWith } = await readSettings()
  if (pairedWith !== null) {
    await chrome.alarms.create(look, { periodInMinutes: lookMinutes })
    // An open panel hears of everything at once, and tells.
    if (!(await isPanelOpen())) await showWaiting((await pairedWaiting(pairedWith)) ?? nobodyKnows)
    return
  }
  await chrome.alarms.clear(look)
  const { count, firstEnds } = await countWaiting(indexedDB, storeName, Date.now())
  await drawBadge(count, firstEnds)
}

export async function onAlarm(name: string): Promise<void> {
  if (name === recount || name === look) await recountWaiting()
}

/** A number that may be wrong is not shown. */
const nobodyKnows: WaitingNews = { ids: [], firstEnds: null, arrived: null }

async function isPanelOpen(): Promise<boolean> {
  const page = chrome.runtime.getURL("panel.html")
  return (await chrome.runtime.getContexts({ documentUrls: [page] })).length > 0
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
