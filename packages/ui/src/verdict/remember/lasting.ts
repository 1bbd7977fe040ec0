/** How long an answer is remembered and how often it may be used, as people type it. */
import { exactTime } from "../../words/time-words.ts"

export type LastingDraft = {
  readonly ends: "never" | "30 minutes" | "1 hour" | "8 hours" | "at"
  /** The value of the date field: `2026-03-01T09:30`, in the reader's time zone. */
  readonly at: string
  /** Empty: as often as it likes. */
  readonly uses: string
}

export const lastingForGood: LastingDraft = { ends: "never", at: "", uses: "" }

export type Lasting = { readonly until?: number; readonly uses?: number }
export type ReadLasting =
  | { readonly ok: true; readonly lasting: Lasting }
  | { readonly ok: false; readonly field: "at" | "uses"; readonly problem: string }

const minute = 60_000
const lengths = { "30 minutes": 30 * minute, "1 hour": 60 * minute, "8 hours": 8 * 60 * minute } as const
const mostUses = 1_000_000

export function readLasting(draft: LastingDraft, now: number): ReadLasting {
  const uses = readUses(draft.uses)
  if (typeof uses === "string") return { ok: false, field: "uses", problem: uses }
  const until = readUntil(draft, now)
  if (typeof until === "string") return { ok: false, field: "at", problem: until }
  return {
    ok: true,
    lasting: { ...(until === null ? {} : { until }), ...(uses === null ? {} : { uses }) },
  }
}

function readUses(text: string): number | null | string {
  const typed = text.trim()
  if (typed === "") return null
  if (!/^\d{1,7}$/.test(typed)) return "Enter a whole number, such as 5, or leave empty."
  const uses = Number(typed)
  return uses >= 1 && uses <= mostUses ? uses : "Enter a number from 1 to 1,000,000, or leave empty."
}

function readUntil({ ends, at }: LastingDraft, now: number): number | null | string {
  if (ends === "never") return null
  if (ends !== "at") return now + lengths[ends]
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(at)) return "Choose a date and time."
  const until = new Date(at).getTime()
  if (Number.isNaN(until)) return "Choose a date and time."
  return until > now ? until : `${exactTime(until)} is in the past. Choose a later time.`
}
