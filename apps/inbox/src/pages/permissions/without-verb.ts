/** The effect stands beside it already: `Always allow files(read_*)` says only `files(read_*)` there. Words that begin otherwise stay whole. */
export function withoutVerb(words: string): string {
  return words.replace(/^(?:(?:In this session, )?always (?:allow|deny)|Allow|Deny|Ask about|Hide) (?=.)/i, "")
}
