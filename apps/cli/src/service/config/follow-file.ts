import type { ConfigProblem } from "@byleave/formats"
import { readUtf8 } from "../../files/read-utf8.ts"
import type { Io } from "../../io.ts"
import { type LoadedFile, loadFile } from "./load-file.ts"
import { watchConfig } from "./watch-config.ts"

export type FollowFileOptions = {
  readonly file: string
  /** As they were read at the start. */
  readonly text: string
  readonly templates: LoadedFile["templates"]
  readonly io: Pick<Io, "env" | "home">
  /** Somebody has changed the file, whatever is in it now. */
  readonly onEdit: () => void
  readonly onConfig: (loaded: Extract<LoadedFile, { ok: true }>) => Promise<void>
  readonly onProblems: (error: string, problems: readonly ConfigProblem[]) => void
  readonly onTrouble: (trouble: unknown) => void
}

export type Following = {
  readonly stop: () => void
  /** This is no edit that is to be told of. */
  readonly know: (known: Pick<LoadedFile, "text" | "templates">) => void
}

/** Tells of every edit of the configuration, or of a template file that it uses, that can be used. One that cannot is reported once, and changes nothing. */
export function followFile(options: FollowFileOptions): Following {
  const { file, io, onEdit, onConfig, onProblems, onTrouble } = options
  let last: Pick<LoadedFile, "text" | "templates"> = options
  const look = (): void => {
    // It is looked at every second, and read with everything that can be wrong with it only when it has changed.
    const found = readUtf8(file)
    const areSame = [...last.templates].every(([path, text]) => readUtf8(path) === text)
    if (found === last.text && areSame) return
    onEdit()
    const loaded = loadFile(file, io, found)
    last = loaded
    if (loaded.ok) onConfig(loaded).catch(onTrouble)
    else onProblems(`${loaded.error} The previous configuration stays in effect.`, loaded.problems)
  }
  return {
    stop: watchConfig(file, look).stop,
    know: (known) => {
      last = known
    },
  }
}
