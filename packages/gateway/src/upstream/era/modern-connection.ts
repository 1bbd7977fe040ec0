import type { JsonObject } from "@byleave/core"
import { newestModern } from "../../wire/versions.ts"
import { clientOf, peerRequest, type UpstreamConnection } from "../connection.ts"
import { modernHeaders } from "../http/modern-headers.ts"
import type { LinkFor } from "../link.ts"
import { createListeners } from "../listeners.ts"
import type { Peer } from "../peer.ts"
import type { Setting } from "../upstream-options.ts"
import { type Asker, askModern } from "./speak-era.ts"
import { createSubscription } from "./subscription.ts"

export type ModernConnection = UpstreamConnection & {
  /** The peer that all modern connections share is gone. */
  readonly lost: () => void
}

/** A modern conversation: nothing is opened, every request says who it is. Many of them share one peer. */
export function openModern(
  peer: Peer,
  hello: JsonObject,
  wanted: LinkFor,
  setting: Setting,
  needs: { readonly timeoutMs: number | undefined; readonly onEnd: () => void },
): ModernConnection {
  const listeners = createListeners(setting.times.coalesceMs, peer.guard)
  const client = clientOf(wanted)
  const self: Asker = { era: "modern", client, abilities: wanted.abilities }
  let open = 0
  let over = false

  const subscription = createSubscription({
    listen: (ask, more) => {
      const whole = askModern(ask, self, newestModern, client)
      return peer.request({ ...more, ask: whole, headers: modernHeaders(whole) })
    },
    tell: listeners.tell,
    onBroken: () => {
      if (peer.continuity() !== "bound") listeners.doubt()
    },
    setting,
  })

  function end(): void {
    if (over) return
    over = true
    subscription.stop()
    needs.onEnd()
    listeners.end()
  }

  return {
    era: "modern",
    version: newestModern,
    hello,
    listeners,
    request: (carried) => {
      const ask = askModern(carried.ask, carried.asker, newestModern, client)
      open++
      return peer
        .request({ ...peerRequest(carried, needs.timeoutMs), ask, headers: modernHeaders(ask, carried.paramHeaders) })
        .finally(() => {
          open--
        })
    },
    notify: peer.notify,
    want: subscription.want,
    inFlight: () => open,
    continuity: () => {
      const own = peer.continuity()
      return own === "unseen" && subscription.stands() ? "heard" : own
    },
    close: async () => end(),
    lost: end,
  }
}
