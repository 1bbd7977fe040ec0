/** The badge, and a notification that only opens the panel. */
import type { WaitingNews } from "../wire/messages.ts"

const name = "waiting"
const recount = "recount"

type KeptWaiting = { readonly count: number; readonly firstEnds: number | null }

export async function showWaiting({ count, firstEnds, arrived }: WaitingNews): Promise<void> {
  await chrome.storage.session.set({ [name]: { count, firstEnds } satisfies KeptWaiting })
  await drawBadge(count)
  if (firstEnds === null) await chrome.alarms.clear(recount)
  else await chrome.alarms.create(recount, { when: firstEnds })
  if (arrived === null) return
  await chrome.notifications.create(`waiting:${arrived.id}`, {
    type: "basic",
    iconUrl: chrome.runtime.getURL("icon-192.png"),
    title: "A call waits for your approval",
    message: arrived.words,
  })
}

async function drawBadge(count: number): Promise<void> {
  await chrome.action.setBadgeBackgroundColor({ color: "#7f5200" })
  await chrome.action.setBadgeText({ text: count === 0 ? "" : count > 99 ? "99+" : String(count) })
  const words = count === 0 ? "Open Byleave" : `Open Byleave: ${count === 1 ? "1 call waits" : `${count} calls wait`}`
  await chrome.action.setTitle({ title: words })
}

/** Nobody may be there to say that a call's time is over: the panel says how many are left once it is opened. */
export async function timeIsOver(alarm: string): Promise<void> {
  if (alarm !== recount) return
  const { [name]: kept } = await chrome.storage.session.get(name)
  const { count = 0 } = (kept as KeptWaiting | undefined) ?? {}
  await showWaiting({ count: Math.max(0, count - 1), firstEnds: null, arrived: null })
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
