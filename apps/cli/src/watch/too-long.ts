/**
 * Which calls `byleave watch` shows whole. The screen is drawn every second and at every key, and a call of megabytes takes longer than that:
 * nobody would see the others, nor get out.
 */
import { type ApprovalView, shownText } from "@byleave/api"
import { showText } from "@byleave/core"

/** Characters of a call as it was sent, and as it would be printed. */
const longestSent = 65_536
const longestPrinted = 131_072

const texts = new WeakMap<ApprovalView, string>()
const known = new WeakMap<ApprovalView, boolean>()

/** A call as it is on the screen, in one text; made once. */
export function textOf(view: ApprovalView): string {
  const text = texts.get(view) ?? shownText(view)
  texts.set(view, text)
  return text
}

/** Whether its arguments are too long to be shown here: then only its beginning is, and it can be denied but not allowed. */
export function isTooLong(view: ApprovalView): boolean {
  const found = known.get(view)
  if (found !== undefined) return found
  const text = textOf(view)
  const isLong = text.length > longestSent || showText(text).length > longestPrinted
  known.set(view, isLong)
  return isLong
}
