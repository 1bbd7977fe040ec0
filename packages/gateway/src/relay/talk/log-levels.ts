import { textAt } from "@byleave/core"
import type { Notice } from "../../wire/message.ts"

const levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]

/** How much each conversation wants to hear of what its servers log. */
export type LogLevels = {
  readonly of: (conversation: string) => string | null
  readonly set: (conversation: string, level: string) => void
  readonly forget: (conversation: string) => void
  /** The most talkative of all: what a shared connection is set to. */
  readonly lowest: () => string | null
}

export function createLogLevels(): LogLevels {
  const byConversation = new Map<string, string>()
  return {
    of: (conversation) => byConversation.get(conversation) ?? null,
    set: (conversation, level) => byConversation.set(conversation, level),
    forget: (conversation) => byConversation.delete(conversation),
    lowest: () => {
      const ranks = [...byConversation.values()].map(rankOf)
      return ranks.length === 0 ? null : (levels[Math.min(...ranks)] ?? null)
    },
  }
}

export function isLogLevel(level: string | undefined): level is string {
  return level !== undefined && levels.includes(level)
}

/** Whether a log line is one that was asked for; without a level, all are. */
export function isLoudEnough(notice: Notice, level: string | null): boolean {
  return level === null || rankOf(textAt(notice.params, "level") ?? "") >= rankOf(level)
}

function rankOf(level: string): number {
  const rank = levels.indexOf(level)
  return rank < 0 ? levels.length : rank
}
