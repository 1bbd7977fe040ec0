import type { Readable } from "node:stream"
import type { FindPlaces } from "@byleave/core"
import type { ProgramEnd, ProgramStart } from "./launch/run-program.ts"

/** Everything a command may touch, so that tests can run it in their own process. */
export type Io = {
  /** The words after `byleave`. */
  readonly argv: readonly string[]
  readonly env: ReadonlyMap<string, string>
  readonly stdout: Output
  readonly stderr: Output
  readonly cwd: string
  /** The folder that a leading `~` stands for. */
  readonly home: string | undefined
  readonly platform: string
  /** The name of the system user who runs this. */
  readonly userName: string
  readonly readFile: (path: string) => Promise<Uint8Array>
  readonly readStdin: () => Promise<Uint8Array>
  /** Begins one judgement's look at where links lead. */
  readonly realPaths: () => FindPlaces
  readonly now: () => number
  /** The result of `check` for the text that a person types on the terminal, unseen; null if there is no terminal or the person gives up. Never a pipe. */
  readonly askSecret: <Found>(prompt: string, check: (typed: string) => Promise<Found>) => Promise<Found | null>
  /** Resolves when somebody asks this process to stop; asked once more, it stops at once. */
  readonly untilStopped: () => Promise<void>
  /** Shows an address in the person's browser; false when there is none. */
  readonly openBrowser: (url: string) => Promise<boolean>
  /** The terminal as a whole screen; null when there is none. */
  readonly openTerminal: () => Terminal | null
  /** Standard input and output as they are, for a command that is a server on them. */
  readonly streams: () => { readonly input: Readable; readonly output: NodeJS.WritableStream }
  readonly pid: number
  /** Asks another process to end, as Ctrl-C would. */
  readonly endProcess: (pid: number) => void
  readonly pause: (ms: number) => Promise<void>
  /** Runs another program on this terminal until it ends. */
  readonly runProgram: (start: ProgramStart) => Promise<ProgramEnd>
  /** Standard output of a program that ends by itself; null if it cannot be run or fails. */
  readonly outputOf: (start: ProgramStart) => Promise<string | null>
}

/** A screen and its keys. */
export type Terminal = {
  readonly size: () => { readonly columns: number; readonly rows: number }
  readonly draw: (lines: readonly string[]) => void
  readonly onKey: (
    listener: (key: { readonly name: string; readonly text: string; readonly ctrl: boolean }) => void,
  ) => void
  readonly onResize: (listener: () => void) => void
  /** Gives the screen back while something else is done on the terminal. */
  readonly aside: <Value>(work: () => Promise<Value>) => Promise<Value>
  readonly close: () => void
}

/** Text that a terminal gets as it is, its rows ended where the terminal ends them: JSON, and links and texts of our own that people copy. */
export type AsIs = { readonly asIs: string }

export type Output = {
  /** On a terminal, rows are ended before its edge. */
  readonly write: (text: string | AsIs) => void
  readonly isTerminal: boolean
  /** How wide a terminal is now; undefined where it is none. */
  readonly columns?: () => number | undefined
}

/** 0 done, 1 refused or failed, 2 wrong use, 3 nobody listening. */
export type ExitCode = 0 | 1 | 2 | 3

/** A command tells it how it went; a command that ran another program passes that program's own code on. */
export type Done = (code: number) => void
