/** A path into a JSON value as RFC 6901 writes it; the whole value is the empty string. */
export function pointerTo(parent: string, key: string | number): string {
  return `${parent}/${pointerToken(key)}`
}

export function pointerToken(key: string | number): string {
  return typeof key === "number" ? `${key}` : key.replaceAll("~", "~0").replaceAll("/", "~1")
}
