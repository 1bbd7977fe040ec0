import {
  type ApprovalView,
  holdsSecret,
  type Masked,
  maskValue,
  readCutJson,
  shownArguments,
  shownExtraParams,
} from "@byleave/api"
import type { JsonValue } from "@byleave/core"

/** Whether what looks like a secret is printed, and if not, what prints it. */
export type Reveal = { readonly isShown: boolean; readonly by: string }

/** For people who have asked to see everything. */
export const revealed: Reveal = { isShown: true, by: "" }

/** A value as it is printed under this name. */
export function shownValue(name: string, value: JsonValue, { isShown, by }: Reveal): Masked {
  return isShown ? { value, count: 0 } : maskValue(value, name, (length) => maskWords(length, by))
}

/** Arguments as a model wrote them, perhaps without their end. Text that cannot be read as JSON is a secret as a whole: its parts cannot be told apart. */
export function shownArgsText(text: string, reveal: Reveal): string {
  return reveal.isShown || text.trim() === "" ? text : (maskedJson(text, reveal) ?? maskWords(text.length, reveal.by))
}

/** A tool's result, perhaps without its end. */
export function shownResult(text: string, reveal: Reveal): string {
  if (reveal.isShown || !holdsSecret(text)) return text
  return maskedJson(text, reveal) ?? maskWords(text.length, reveal.by)
}

/** The text as it is where nothing in it is masked; null: it cannot be read, or is one value. */
function maskedJson(text: string, reveal: Reveal): string | null {
  const value = readCutJson(text)
  if (typeof value !== "object" || value === null) return null
  const masked = shownValue("", value, reveal)
  return masked.count === 0 ? text : JSON.stringify(masked.value)
}

function maskWords(length: number, by: string): string {
  return `‹hidden, ${length} ${length === 1 ? "character" : "characters"}; ${by} shows it›`
}

/** How many values of a call are printed only to who asks to see them. */
export function countMasked(view: ApprovalView): number {
  const sent = [...Object.entries(shownArguments(view) ?? {}), ...Object.entries(shownExtraParams(view) ?? {})]
  return sent.reduce((sum, [name, value]) => sum + maskValue(value, name, () => "").count, 0)
}

/** Why a call cannot be allowed yet; null when every value was there to be seen. */
export function hiddenWords(count: number, advice: string): string | null {
  if (count === 0) return null
  const what =
    count === 1
      ? "1 value is hidden because it looks like a secret."
      : `${count} values are hidden because they look like secrets.`
  return `${what} ${advice}`
}
