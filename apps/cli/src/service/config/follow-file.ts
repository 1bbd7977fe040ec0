import type { ConfigProblem } from "@byleave/formats"
import type { Io } from "../../io.ts"
import { type LoadedFile, loadFile, readUtf8 } from "./load-file.ts"
import { watchConfig } from "./watch-config.ts"

export type FollowFileOptions = {
  readonly file: string
  /** As it was read at the start. */
  readonly text: string
  readonly io: Pick<Io, "env" | "home">
  /** Somebody has changed the file, whatever is in it now. */
  readonly onEdit: () => void
  readonly onConfig: (loaded: Extract<LoadedFile, { ok: true }>) => Promise<void>
  readonly onProblems: (error: string, problems: readonly ConfigProblem[]) => void
  readonly onTrouble: (trouble: unknown) => void
}

export type Following = {
  readonly stop: () => void
  /** This text is no edit that is to be told of. */
  readonly know: (text: string) => void
}

/** Tells of every edit of the configuration that can be used. One that cannot is reported once, and changes nothing. */
export function followFile({ file, text, io, onEdit, onConfig, onProblems, onTrouble }: FollowFileOptions): Following {
  let last: string | null = text
  const look = (): void => {
    // It is looked at every second, and read with everything that can be wrong with it only when it has changed.
    const found = readUtf8(file)
    if (found === last) return
    last = found
    onEdit()
    const loaded = loadFile(file, io, found)
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
