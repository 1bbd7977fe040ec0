import { normalizeText } from "../../call/text/normalize-text.ts"

/** Phrases that order a model about, wherever they stand. Compared in lower case with single spaces. */
const anywhere = phrases(`
  ignore previous, ignore all previous, ignore any previous, ignore earlier, ignore all earlier, ignore any earlier, ignore prior,
  ignore all prior, ignore the above, ignore your, disregard previous, disregard your, forget previous, forget your, override your,
  you are now, allow every call, allow all calls, approve every call, approve all calls, <system, [system], [inst], <|im_start`)

/** Shorter ones are usual in what people write for people. */
const orders = [
  ...anywhere,
  ...phrases(`
  disregard all previous, disregard all earlier, forget all previous, do not tell the user, don't tell the user, do not inform the user,
  don't inform the user, never tell the user, without telling the user, hide this from the user`),
]

/** Phrases that speak to a model rather than of a tool, in the description of one. */
export const instructions = [
  ...anywhere,
  ...phrases(`
  ignore all other, ignore the user, disregard all, disregard the, disregard any, forget all,
  do not tell, don't tell, do not mention, don't mention, do not inform, don't inform, do not reveal, don't reveal, do not show the user,
  never tell, never mention, never reveal, without telling, without asking, without informing, without mentioning, keep this secret,
  do not ask, don't ask, the user must not, hide this from, not visible to the user, before using this tool, before calling this tool,
  before you use, before you call, before using any, before calling any, after using this tool, after calling this tool,
  instead of this tool, always call, always use this tool, you must, you should always, you are an, your task is,
  your instructions, system prompt, act as, pretend to, new instructions, important:, <important, <instructions, <secret,
  read the file, read the contents, contents of the file, include the contents, pass the contents,
  send the contents, send it to, forward it to, exfiltrate, upload it to, post it to, for this to work, otherwise the tool,
  the tool will not work`),
]

export function phrases(list: string): readonly string[] {
  return list.split(",").map((phrase) => phrase.trim())
}

/** The first order to a model in a text; null where there is none. The text is looked through once for each phrase. */
export function orderIn(text: string): string | null {
  if (text.length < shortestOrder) return null
  const plain = plainly(text)
  return orders.find((phrase) => timesIn(plain, phrase) > 0) ?? null
}

const shortestOrder = 6
const mostText = 65_536

/** Folds text that readers take for the same: invisible characters, letter forms, case and the kind of space do not hide a phrase. */
export function plainly(text: string): string {
  return normalizeText(text, "NFKC")
    .slice(0, 2 * mostText)
    .replace(/[\p{Cf}\p{Mn}]/gu, "")
    .replace(/[\s*`]+/g, " ")
    .replace(/[\u2018\u2019]/g, "'")
    .toLowerCase()
}

/** Whole words only, also in the plural. */
export function timesIn(text: string, phrase: string): number {
  const last = phrase.length - 1
  let times = 0
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + phrase.length)) {
    const end = at + phrase.length
    const next = text[end] === "s" ? end + 1 : end
    if (!(isLetter(text, at - 1) && isLetter(text, at)) && !(isLetter(phrase, last) && isLetter(text, next))) times += 1
  }
  return times
}

function isLetter(text: string, at: number): boolean {
  return /[a-z0-9]/.test(text[at] ?? "")
}
