/**
 * The effect and whom it is for stand beside it already: `For every agent, always allow files(read_*)` says only `files(read_*)` there. Words
 * that begin otherwise stay whole.
 */
export function withoutVerb(words: string): string {
  return words.replace(beginning, "")
}

const beginning =
  /^(?:(?:For every agent|(?:For the agent|In this session of) "(?:[^"\\]|\\.)*"(?: outside sessions)?), )?(?:(?:always )?(?:allow|deny)|Ask about|Hide) (?=.)/i
