/**
 * A server's settings besides how it is started and its policy: how long a call may run, how much of its tool list is read and for how long the list is
 * trusted. Less of each tightens; all other changes wait for a person.
 */
import { shownName } from "@byleave/core"
import { formatDuration, type ServerConfig } from "@byleave/formats"
import { defaultToolListLimits } from "@byleave/gateway"

type ToolListSettings = NonNullable<ServerConfig["toolList"]>

/** Plain JSON. Absent: as usual. */
export type ServerLimits = Pick<ServerConfig, "timeoutMs" | "toolList" | "refreshConnection">

export function limitsOf({ timeoutMs, toolList, refreshConnection }: ServerConfig): ServerLimits {
  return {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(toolList === undefined ? {} : { toolList }),
    ...(refreshConnection === undefined ? {} : { refreshConnection }),
  }
}

export function withLimits(config: ServerConfig, limits: ServerLimits): ServerConfig {
  const { timeoutMs: _, toolList: __, refreshConnection: ___, ...rest } = config
  return { ...rest, ...limits }
}

type Tightened = {
  readonly limits: ServerLimits
  readonly tightens: readonly string[]
  readonly widens: readonly string[]
}

/** Each as it may hold at once, and what must wait for a person, in words. */
export function tightenedLimits(id: string, before: ServerLimits, after: ServerLimits): Tightened {
  const tightens: string[] = []
  const widens: string[] = []
  const server = `Server ${shownName(id)}`
  /** Whether the new value may hold at once. */
  const judge = (old: number, now: number, words: string): boolean => {
    if (old !== now) (now < old ? tightens : widens).push(`${server}: ${words}.`)
    return now <= old
  }
  const timeout = {
    before: before.timeoutMs ?? Number.POSITIVE_INFINITY,
    after: after.timeoutMs ?? Number.POSITIVE_INFINITY,
  }
  const isTimeoutNow = judge(timeout.before, timeout.after, `a call may now run ${long(timeout.after)}`)
  const toolList = Object.fromEntries(
    listKeys.flatMap((key) => {
      const [old, now] = [before.toolList?.[key], after.toolList?.[key]]
      const usual = defaultToolListLimits[key]
      const taken = judge(old ?? usual, now ?? usual, listWords[key](now ?? usual)) ? now : old
      return taken === undefined ? [] : [[key, taken]]
    }),
  ) satisfies ToolListSettings
  const isAnew = { before: before.refreshConnection === true, after: after.refreshConnection === true }
  if (isAnew.before !== isAnew.after)
    widens.push(`${server}: ${isAnew.after ? "every call now has" : "calls no longer have"} a new connection each.`)
  const taken = isTimeoutNow ? after : before
  const limits = {
    ...(taken.timeoutMs === undefined ? {} : { timeoutMs: taken.timeoutMs }),
    ...(Object.keys(toolList).length === 0 ? {} : { toolList }),
    ...(before.refreshConnection === undefined ? {} : { refreshConnection: before.refreshConnection }),
  }
  return { limits, tightens, widens }
}

const listWords = {
  pages: (count: number) => `at most ${count} pages of its tool list are now read`,
  tools: (count: number) => `at most ${count} of its tools are now known`,
  bytes: (count: number) => `at most ${count} bytes of its tool list are now read`,
  ms: (ms: number) => `its tool list is now read for ${long(ms)}`,
  goodMs: (ms: number) =>
    `its tool list is now trusted for ${long(ms)} where nothing tells that another server answers`,
} as const satisfies Record<keyof ToolListSettings, (value: number) => string>

const listKeys = Object.keys(listWords) as ReadonlyArray<keyof ToolListSettings>

function long(ms: number): string {
  return Number.isFinite(ms) ? formatDuration(ms) : "as long as it takes"
}
