import type { HealthView, ServerView } from "@byleave/api"

type Asked = Pick<ServerView, "transport" | "stopped" | "health">

type HealthMark = { readonly word: string; readonly tone: "plain" | "yes" | "no" | "wait" | "know" }

/** How a server fares, in a word. What a person stopped is stopped, whatever its last connection says. */
export function healthMark(server: Asked): HealthMark {
  if (server.transport === "program") return { word: "Run by a client", tone: "know" }
  return marks[stateOf(server)]
}

const marks = {
  connected: { word: "Connected", tone: "yes" },
  idle: { word: "Idle", tone: "plain" },
  connecting: { word: "Connecting", tone: "know" },
  failing: { word: "Failing", tone: "no" },
  stopped: { word: "Stopped", tone: "wait" },
} as const satisfies Record<HealthView["state"], HealthMark>

function stateOf({ stopped, health }: Asked): HealthView["state"] {
  return stopped ? "stopped" : health.state
}

type HealthWords = {
  /** The consequence for calls. */
  readonly sentence: string
  /** The last error, in the words of the server or of ours. */
  readonly error: string | null
  /** Until when nobody tries again; null when the next call does. */
  readonly retryAt: number | null
}

export function healthWords(server: Asked, now: number): HealthWords {
  const { transport, health } = server
  if (transport === "program")
    return plain("Run by another program, such as a client using “byleave wrap”. It cannot be stopped or started here.")
  const isProgram = transport === "stdio"
  const state = stateOf(server)
  switch (state) {
    case "connected":
      return plain(health.links === 1 ? "1 open connection." : `${health.links} open connections.`)
    case "idle":
      return plain(`Not in use. The next call ${isProgram ? "starts it" : "connects to it"}.`)
    case "connecting":
      return plain(isProgram ? "Starting." : "Connecting.")
    case "stopped":
      return plain("Stopped by a reviewer. Calls fail until it is started again.")
    case "failing":
      return failing(health, now)
  }
}

function plain(sentence: string): HealthWords {
  return { sentence, error: null, retryAt: null }
}

function failing({ lastError, retryAt }: HealthView, now: number): HealthWords {
  if (retryAt === null || retryAt <= now) {
    return { sentence: "The next call retries.", error: lastError, retryAt: null }
  }
  return { sentence: "Calls fail until the next retry.", error: lastError, retryAt }
}

/** Which revision of the protocol it speaks, for people. */
export function eraWords(era: HealthView["era"]): string {
  if (era === null) return "Unknown until it connects"
  return era === "modern" ? "Modern (2026-07-28)" : "Legacy (up to 2025-11-25)"
}

export const transportWords = {
  stdio: "Local program",
  http: "HTTP",
  sse: "HTTP with SSE (legacy)",
  program: "Run by another program through Byleave",
} as const satisfies Record<ServerView["transport"], string>
