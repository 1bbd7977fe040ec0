import type { NoticeWords } from "./notice-words.ts"
import { isAnyLookedAt } from "./open-tabs.ts"

const shown = new Map<string, Notification>()

/** Asks the browser; only ever from a button. */
export async function askToNotify(): Promise<boolean> {
  if (!("Notification" in window)) return false
  return (await Notification.requestPermission()) === "granted"
}

/** Does nothing while the page is looked at: it shows the same itself. A newer one of the same tag takes its place, and is told anew. */
export async function showNotification(words: NoticeWords, tag: string): Promise<void> {
  if (!("Notification" in window) || Notification.permission !== "granted" || (await isAnyLookedAt())) return
  closeNotification(tag)
  try {
    const one = new Notification(words.title, { body: words.body, tag, icon: "/icon-192.png" })
    shown.set(tag, one)
    one.onclose = () => shown.get(tag) === one && shown.delete(tag)
    one.onclick = () => {
      window.focus()
      one.close()
    }
  } catch {
    // Some phones let only installed pages notify; the title and the sound still tell.
  }
}

/** Closes the notification once it no longer holds. */
export function closeNotification(tag: string): void {
  shown.get(tag)?.close()
  shown.delete(tag)
}
