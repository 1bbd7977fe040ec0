import type { HealthView, ServerView } from "@byleave/api"

export type HealthWords = {
  readonly word: string
  readonly tone: "plain" | "yes" | "no" | "wait" | "know"
  /** What it means for calls. */
  readonly sentence: string
  /** What went wrong last, in whoever's words. */
  readonly error: string | null
  /** When it is tried again by itself; null when that is not known. */
  readonly retryAt: number | null
}

type Asked = Pick<ServerView, "transport" | "stopped"> & { readonly health: HealthView }

/** How a server fares, in words. What a person stopped is stopped, whatever its last connection says. */
export function healthWords({ transport, stopped, health }: Asked): HealthWords {
  const state = stopped ? "stopped" : health.state
  const failed = state === "failing"
  return {
    ...wordsOf[state],
    sentence: sentenceOf(state, transport, health),
    error: failed ? health.lastError : null,
    retryAt: failed ? health.retryAt : null,
  }
}

const wordsOf = {
  connected: { word: "Connected", tone: "yes" },
  idle: { word: "Idle", tone: "plain" },
  connecting: { word: "Connecting", tone: "know" },
  failing: { word: "Failing", tone: "no" },
  stopped: { word: "Stopped", tone: "wait" },
} as const satisfies Record<HealthView["state"], Pick<HealthWords, "word" | "tone">>

function sentenceOf(state: HealthView["state"], transport: ServerView["transport"], health: HealthView): string {
  switch (state) {
    case "connected":
      return health.links === 1 ? "One connection is open." : `${health.links} connections are open.`
    case "idle":
      return transport === "stdio"
        ? "It is not needed now. The next call starts it."
        : "It is not needed now. The next call connects to it."
    case "connecting":
      return transport === "stdio" ? "It is being started." : "It is being reached."
    case "failing":
      return health.retryAt === null ? "The next call tries again." : "It is tried again by itself."
    case "stopped":
      return "Somebody stopped it. Calls to it fail until it is started again."
  }
}

/** Which revision of the protocol it speaks, for people. */
export function eraWords(era: HealthView["era"]): string {
  if (era === null) return "Not known until it has connected"
  return era === "modern" ? "Modern (2026-07-28)" : "Legacy (up to 2025-11-25)"
}

export const transportWords = {
  stdio: "A program on this machine",
  http: "Over HTTP",
  sse: "Over HTTP, the older way (SSE)",
} as const satisfies Record<ServerView["transport"], string>
