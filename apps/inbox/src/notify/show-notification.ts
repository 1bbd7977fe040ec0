import type { NoticeWords } from "./notice-words.ts"

function mayNotify(): boolean {
  return "Notification" in window && Notification.permission === "granted"
}

/** Asks the browser; only ever from a button. */
export async function askToNotify(): Promise<boolean> {
  if (!("Notification" in window)) return false
  return (await Notification.requestPermission()) === "granted"
}

/** Does nothing while the page is looked at: it shows the same itself. A newer one of the same tag takes its place. */
export function showNotification(words: NoticeWords, tag: string): void {
  if (!mayNotify() || document.visibilityState === "visible") return
  try {
    const shown = new Notification(words.title, { body: words.body, tag, icon: "/icon-192.png" })
    shown.onclick = () => {
      window.focus()
      shown.close()
    }
  } catch {
    // Some phones let only installed pages notify; the title and the sound still tell.
  }
}
