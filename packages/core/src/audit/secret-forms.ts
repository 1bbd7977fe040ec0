const base64Alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

/** Parts of base64 text shorter than this turn up by chance. */
const shortestFragment = 6

/** How a secret may be written in text: as it is, and as URLs, JSON and base64 write it. Each is at least 4 long. */
export function secretForms(value: string): readonly string[] {
  const forms = new Set([value, ...jsonForms(value)])
  // Half a surrogate pair has no UTF-8, so it can be in no URL and no base64.
  if (/\p{Surrogate}/u.test(value)) return [...forms]
  for (const form of urlForms(value)) forms.add(form)
  for (const form of base64Forms(utf8Of(value))) {
    forms.add(form)
    forms.add(form.replaceAll("+", "-").replaceAll("/", "_"))
  }
  return [...forms]
}

function jsonForms(value: string): readonly string[] {
  const escaped = JSON.stringify(value).slice(1, -1)
  const ascii = escaped.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
  return [escaped, escaped.replaceAll("/", "\\/"), ascii]
}

function urlForms(value: string): readonly string[] {
  const component = encodeURIComponent(value)
  const strict = component.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
  const forms = [encodeURI(value), component, strict, strict.replaceAll("%20", "+")]
  return [...forms, ...forms.map((form) => form.replace(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()))]
}

function utf8Of(value: string): readonly number[] {
  const bytes: number[] = []
  for (const [match] of encodeURIComponent(value).matchAll(/%..|./g)) {
    bytes.push(match.length === 3 ? Number.parseInt(match.slice(1), 16) : match.charCodeAt(0))
  }
  return bytes
}

/**
 * The value alone, and the characters it alone decides when it stands in longer base64 text (`user:password`): which
 * those are depends on how many bytes come before it, by threes.
 */
function base64Forms(bytes: readonly number[]): readonly string[] {
  const fragments = [0, 1, 2].map((shift) => {
    const text = base64([...new Array<number>(shift).fill(0), ...bytes])
    return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6))
  })
  return [base64(bytes), ...fragments.filter((fragment) => fragment.length >= shortestFragment)]
}

/** Without padding. */
function base64(bytes: readonly number[]): string {
  let text = ""
  for (let at = 0; at < bytes.length; at += 3) {
    const left = bytes.length - at
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0)
    for (let place = 0; place < Math.min(left, 3) + 1; place++) {
      text += base64Alphabet[(group >> (18 - 6 * place)) & 63]
    }
  }
  return text
}
