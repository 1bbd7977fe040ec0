import { readUtf8 } from "../files/read-utf8.ts"

/** Reads the template files of one configuration, each once, and keeps what was in them. */
export type TemplateFiles = {
  readonly read: (path: string) => string | null
  /** The texts by path; null: it could not be read. */
  readonly seen: ReadonlyMap<string, string | null>
}

export function templateFiles(): TemplateFiles {
  const seen = new Map<string, string | null>()
  return {
    seen,
    read: (path) => {
      const known = seen.get(path)
      if (known !== undefined) return known
      const text = readUtf8(path)
      seen.set(path, text)
      return text
    },
  }
}
