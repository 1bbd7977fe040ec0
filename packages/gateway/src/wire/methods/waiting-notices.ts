/**
 * What a server says to one listener, or during one request, where something is looked at before each of it is told. Servers may say much without end, and a
 * look may take long.
 *
 * I1. One notice is looked at at a time, in the order in which they were said.
 * I2. Only so many wait behind it, and all of them weigh no more than they may: what does not fit is left out, and the log says so once.
 * I3. Of notices that tell how something stands by now, the newest waits, in the place of an older one about the same.
 */
import { type JsonValue, memberAt } from "@byleave/core"
import type { Notice } from "../message.ts"
import { resourceNotices } from "./resource-notices.ts"

/** The weight is about the bytes that they take up, that of the one being looked at included. */
const most = { notices: 1_000, weight: 256 * 1024 }

/** The notice as it may be told, or null where it may not. */
export type SeenNotice = Notice | null

export type WaitingNotices = {
  /** Tells it at once where nothing waits and it need not be looked at. */
  readonly add: (notice: Notice) => void
  /** Leaves out all that waits. */
  readonly forget: () => void
  /** Over when nothing waits any more; null: nothing does. */
  readonly over: () => Promise<void> | null
}

export type WaitingNoticesPorts = {
  /** Whether it may be told as it is, and need not be looked at. */
  readonly passes: (notice: Notice) => boolean
  readonly look: (notice: Notice) => Promise<SeenNotice>
  readonly tell: (notice: Notice) => void
  /** Told the same words once. */
  readonly log: (words: string) => void
}

type Waiting = { readonly notice: Notice; readonly weight: number }

export function createWaitingNotices({ passes, look, tell, log }: WaitingNoticesPorts): WaitingNotices {
  /** By what they are about; those that are about nothing of which the newest counts, by themselves. */
  const waiting = new Map<string | Notice, Waiting>()
  const logged = new Set<string>()
  let weight = 0
  let lookedAt: Waiting | null = null
  let over = Promise.resolve()

  const logOnce = (words: string): void => {
    if (logged.has(words)) return
    logged.add(words)
    log(words)
  }
  const keep = (notice: Notice): void => {
    const key = aboutWhat(notice) ?? notice
    const older = waiting.get(key)
    const room = most.weight - weight - (lookedAt?.weight ?? 0) + (older?.weight ?? 0)
    const own = weightOf(notice.params, room)
    if (own > room || (older === undefined && waiting.size >= most.notices)) {
      logOnce(tooMuch)
      return
    }
    weight += own - (older?.weight ?? 0)
    waiting.set(key, { notice, weight: own })
  }
  const takeFirst = (): Waiting | null => {
    for (const [key, first] of waiting) {
      waiting.delete(key)
      weight -= first.weight
      return first
    }
    return null
  }
  const tellAll = async (): Promise<void> => {
    for (lookedAt = takeFirst(); lookedAt !== null; lookedAt = takeFirst()) {
      const { notice } = lookedAt
      try {
        const seen = passes(notice) ? notice : await look(notice)
        if (seen !== null) tell(seen)
      } catch {
        logOnce(notSeen)
      }
    }
  }
  return {
    add: (notice) => {
      if (lookedAt !== null) keep(notice)
      else if (passes(notice)) tell(notice)
      else {
        keep(notice)
        over = tellAll()
      }
    },
    forget: () => {
      waiting.clear()
      weight = 0
    },
    over: () => (lookedAt === null ? null : over),
  }
}

const tooMuch = "more was said to an agent than could be looked at in time; what does not fit is left out."
const notSeen = "something it told is kept back."

/** The params by whose value notices are about the same. */
const subjects = new Map([
  ["notifications/progress", "progressToken"],
  ["notifications/tasks/status", "taskId"],
  ["notifications/elicitation/complete", "elicitationId"],
  ...Array.from(resourceNotices, (method) => [method, "uri"] as const),
])

/** Undefined: each of them says something else. */
function aboutWhat({ method, params }: Notice): string | undefined {
  if (method.endsWith("/list_changed")) return method
  const named = subjects.get(method)
  const subject = named === undefined ? undefined : memberAt(params, named)
  return typeof subject === "string" || typeof subject === "number"
    ? `${method} ${typeof subject} ${subject}`
    : undefined
}

/** Looks no further once it is above `enough`. */
function weightOf(value: JsonValue | undefined, enough: number): number {
  if (typeof value === "string") return 16 + value.length
  if (typeof value !== "object" || value === null) return 16
  let weight = 64
  for (const [key, inner] of Object.entries(value)) {
    if (weight > enough) break
    weight += key.length + weightOf(inner, enough - weight)
  }
  return weight
}
