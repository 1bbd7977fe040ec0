/** How this person wants to be told, in this browser. */
export type NotifySettings = {
  /** Browser notifications; also needs the browser's own permission. */
  readonly notifications: boolean
  readonly sound: boolean
  /** A warning shortly before a call ends unanswered. */
  readonly expiry: boolean
  /** Whether the question about notifications was answered here, either way. */
  readonly asked: boolean
}

export const firstNotifySettings: NotifySettings = { notifications: false, sound: false, expiry: true, asked: false }

/** From what was kept of them; null when nothing was. */
export function readNotifySettings(kept: string | null): NotifySettings {
  try {
    return notifySettingsOf(JSON.parse(kept ?? "{}"))
  } catch {
    return firstNotifySettings
  }
}

/** Whatever is not a yes or a no there counts as not said. */
function notifySettingsOf(value: unknown): NotifySettings {
  const said = typeof value === "object" && value !== null ? new Map(Object.entries(value)) : new Map<string, unknown>()
  const flag = (name: keyof NotifySettings): boolean => {
    const own = said.get(name)
    return typeof own === "boolean" ? own : firstNotifySettings[name]
  }
  return { notifications: flag("notifications"), sound: flag("sound"), expiry: flag("expiry"), asked: flag("asked") }
}
