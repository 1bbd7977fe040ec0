/** A key as TOML writes it. */
export function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : tomlText(key)
}

/** Text as TOML writes it; JSON escapes what TOML wants escaped, but for one character. */
export function tomlText(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f")
}
