import type { InsightView } from "@byleave/api"
import { minute, now } from "./calls.ts"

const hour = 60 * minute
const since = Math.floor(now / hour) * hour - 23 * hour
const tool = { server: "files", tool: "write_file" }
const other = { server: "web", tool: "fetch" }

/** A day's counts. */
export const aDay: InsightView = {
  since,
  until: now,
  step: hour,
  byDecision: Array.from({ length: 24 }, (_, at) => ({
    at: since + at * hour,
    allow: (at * 7) % 23,
    ask: (at * 5) % 11,
    deny: at % 4,
    hide: at % 9 === 0 ? 2 : 0,
  })),
  timeToDecide: {
    medianMs: 14_000,
    p95Ms: 8 * minute,
    bars: [
      { upToMs: 5_000, calls: 12 },
      { upToMs: 30_000, calls: 31 },
      { upToMs: 5 * minute, calls: 9 },
      { upToMs: hour, calls: 4 },
      { upToMs: null, calls: 1 },
    ],
  },
  asked: [
    { tool, approved: 40, denied: 3, open: 2 },
    { tool: other, approved: 6, denied: 9, open: 0 },
  ],
  deciders: [
    { reviewer: "ada", approved: 38, denied: 7 },
    { reviewer: "grace", approved: 8, denied: 5 },
  ],
  denials: [
    { code: "denied-by-rule", words: "Denied by a rule", calls: 18 },
    { code: "expired", words: "Nobody decided in time", calls: 2 },
  ],
  agents: [{ principal: "claude", allow: 120, ask: 41, deny: 9, hide: 4 }],
  sessions: [
    { session: { principal: "claude", id: "s1" }, sessionKey: "k1", allow: 80, ask: 31, deny: 4, hide: 0 },
    { session: { principal: "claude", id: "s2" }, sessionKey: "k2", allow: 40, ask: 10, deny: 5, hide: 4 },
  ],
  servers: [{ server: "files", allow: 150, ask: 45, deny: 3, hide: 0 }],
  failures: [{ tool, words: "EACCES: permission denied", calls: 3 }],
}

/** The same day, and nothing happened. */
export const anEmptyDay: InsightView = {
  ...aDay,
  byDecision: aDay.byDecision.map(({ at }) => ({ at, allow: 0, ask: 0, deny: 0, hide: 0 })),
  timeToDecide: { medianMs: null, p95Ms: null, bars: [] },
  asked: [],
  deciders: [],
  denials: [],
  agents: [],
  sessions: [],
  servers: [],
  failures: [],
}
