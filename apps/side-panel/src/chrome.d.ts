/** The part of Chrome's extension API that the panel uses. */
declare namespace chrome {
  type Listener<Args extends readonly unknown[], Result = void> = {
    readonly addListener: (listener: (...args: Args) => Result) => void
  }

  namespace runtime {
    type MessageSender = {
      readonly id?: string
      readonly url?: string
      readonly origin?: string
    }
    const id: string
    const onMessage: Listener<[message: unknown, sender: MessageSender, respond: (reply: unknown) => void], boolean>
    const onInstalled: Listener<[]>
    const onStartup: Listener<[]>
    function sendMessage(message: unknown): Promise<unknown>
    function getURL(path: string): string
    function getPlatformInfo(): Promise<unknown>
    function getContexts(filter: { readonly documentUrls: readonly string[] }): Promise<readonly unknown[]>
  }

  namespace storage {
    type StorageArea = {
      readonly get: (keys: string | readonly string[] | null) => Promise<Record<string, unknown>>
      readonly set: (items: Record<string, unknown>) => Promise<void>
      readonly remove: (keys: string | readonly string[]) => Promise<void>
    }
    type Change = { readonly newValue?: unknown }
    const local: StorageArea
    const session: StorageArea
    const onChanged: Listener<[changes: Record<string, Change>, area: string]> & {
      readonly removeListener: (listener: (changes: Record<string, Change>, area: string) => void) => void
    }
  }

  namespace action {
    function setBadgeText(details: { readonly text: string }): Promise<void>
    function setBadgeBackgroundColor(details: { readonly color: string }): Promise<void>
    function setTitle(details: { readonly title: string }): Promise<void>
  }

  namespace alarms {
    function create(name: string, when: { readonly when: number } | { readonly periodInMinutes: number }): Promise<void>
    function clear(name: string): Promise<boolean>
    const onAlarm: Listener<[alarm: { readonly name: string }]>
  }

  namespace notifications {
    function create(
      id: string,
      options: {
        readonly type: "basic"
        readonly iconUrl: string
        readonly title: string
        readonly message: string
        readonly silent?: boolean
      },
    ): Promise<string>
    function clear(id: string): Promise<boolean>
    function getAll(): Promise<Record<string, unknown>>
    const onClicked: Listener<[id: string]>
  }

  namespace sidePanel {
    function open(options: { readonly windowId: number }): Promise<void>
    function setPanelBehavior(behavior: { readonly openPanelOnActionClick: boolean }): Promise<void>
  }

  namespace windows {
    function getLastFocused(): Promise<{ readonly id?: number }>
    function create(options: {
      readonly url: string
      readonly type: "popup"
      readonly width: number
      readonly height: number
    }): Promise<unknown>
  }

  namespace permissions {
    type Origins = { readonly origins: readonly string[] }
    function contains(permissions: Origins): Promise<boolean>
    function request(permissions: Origins): Promise<boolean>
    function remove(permissions: Origins): Promise<boolean>
  }
}
