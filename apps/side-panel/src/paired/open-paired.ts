import { followEvents } from "@byleave/api/page"
import type { PanelBackend, PanelEvent } from "../panel/panel-client.ts"
import { keptDeviceKey } from "./device-key.ts"
import { signedClient } from "./pairing.ts"

export type OpenedPairing =
  | {
      readonly state: "ready"
      readonly backend: PanelBackend
      readonly close: () => void
      readonly ended: Promise<string>
    }
  /** A person has not approved this browser in the service's Settings yet. */
  | { readonly state: "waits" }
  | { readonly state: "failed"; readonly words: string }

export async function openPaired(url: string): Promise<OpenedPairing> {
  const key = await keptDeviceKey()
  if (key === null)
    return { state: "failed", words: "The key of this browser is gone. End the pairing, then pair it again." }
  const client = signedClient(url, key)
  const me = await client.me().catch(() => null)
  if (me === null) return { state: "failed", words: `Nothing answers at ${url}. Start Byleave there, then try again.` }
  if (!me.ok) {
    return me.problem.code === "device-waits" ? { state: "waits" } : { state: "failed", words: me.problem.detail }
  }
  const listeners = new Set<(event: PanelEvent) => void>()
  const watchers = new Set<() => void>()
  const over = new AbortController()
  const refused = Promise.withResolvers<string>()
  let isConnected = true
  const following = followEvents({
    client,
    signal: over.signal,
    onEvent: ({ type, subject }) => {
      // A stream that is open stays open when its key is revoked; the next request is refused.
      if (type === "access.changed")
        void client.me().then((still) => !still.ok && refused.resolve(still.problem.detail))
      for (const tell of listeners) tell({ type, subject })
    },
    onConnected: (connected) => {
      // Everything that may have changed meanwhile is read again.
      if (connected && !isConnected)
        for (const tell of listeners) for (const type of everything) tell({ type, subject: "" })
      isConnected = connected
      for (const watch of watchers) watch()
    },
    wait: (attempt) => new Promise((resolve) => setTimeout(resolve, Math.min(10_000, 500 * attempt))),
  })
  const backend: PanelBackend = {
    kind: "paired",
    client,
    servers: null,
    follow: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    connection: {
      isConnected: () => isConnected,
      follow: (listener) => {
        watchers.add(listener)
        return () => watchers.delete(listener)
      },
    },
  }
  // It ends by itself only where the service refuses this browser from then on.
  void following.then((problem) => problem !== null && refused.resolve(problem.detail))
  return { state: "ready", backend, close: () => over.abort(), ended: refused.promise }
}

const everything = [
  "agent-run.changed",
  "approval.changed",
  "definition.changed",
  "grant.changed",
  "mode.changed",
  "policy.changed",
  "server.changed",
]
