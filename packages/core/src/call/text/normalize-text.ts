/** Unicode's normal forms sort the marks on a letter, in a time that grows with the square of their number. File names have room for no more. */
export const mostMarks = 128

const mark = /\p{M}/u
/** No character before this one is a mark. */
const firstMark = 0x300

/** Whether more marks follow each other than any text has. */
export function hasManyMarks(text: string): boolean {
  return text.length > mostMarks && endsOfRuns(text).length > 0
}

/** The normal form of somebody's text, in a time that grows with its length: marks beyond `mostMarks` in a row stay apart from those before them. */
export function normalizeText(text: string, form: "NFC" | "NFD" | "NFKC" | "NFKD"): string {
  if (text.length <= mostMarks) return text.normalize(form)
  const ends = endsOfRuns(text)
  if (ends.length === 0) return text.normalize(form)
  return [0, ...ends].map((from, at) => text.slice(from, ends[at]).normalize(form)).join("")
}

/** Where `mostMarks` marks in a row end, and more follow. */
function endsOfRuns(text: string): readonly number[] {
  const ends: number[] = []
  let run = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < firstMark) {
      run = 0
      continue
    }
    const letter = String.fromCodePoint(text.codePointAt(at) as number)
    if (!mark.test(letter)) run = 0
    else if (run++ === mostMarks) {
      ends.push(at)
      run = 1
    }
    at += letter.length - 1
  }
  return ends
}
