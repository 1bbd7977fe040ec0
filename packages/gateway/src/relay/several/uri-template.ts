/** Whether a URI can come from a template (RFC 6570), as far as telling servers apart needs it: expressions stand for any text. Linear in both. */
export function mayExpandTo(template: string, uri: string): boolean {
  const parts = template.split(/\{[^{}]*\}/)
  const first = parts[0] ?? ""
  const last = parts.at(-1) ?? ""
  if (parts.length === 1) return uri === first
  if (!uri.startsWith(first) || !uri.endsWith(last) || uri.length < first.length + last.length) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = uri.indexOf(part, at)
    if (found < 0 || found + part.length > uri.length - last.length) return false
    at = found + part.length
  }
  return true
}
