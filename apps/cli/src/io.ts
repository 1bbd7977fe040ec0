/** Everything a command may touch, so that tests can run it in their own process. */
export type Io = {
  /** The words after `byleave`. */
  readonly argv: readonly string[]
  readonly env: ReadonlyMap<string, string>
  readonly stdout: Output
  readonly stderr: Output
  readonly cwd: string
  /** What a leading `~` stands for. */
  readonly home: string | undefined
  readonly platform: string
  /** Who the system says is running this. */
  readonly userName: string
  readonly readFile: (path: string) => Promise<Uint8Array>
  readonly readStdin: () => Promise<Uint8Array>
  /** Where links lead; null when that cannot be seen. */
  readonly realPath: (path: string) => string | null
  readonly now: () => number
  /** What a person types on the terminal, unseen; null when there is no terminal or the person gives up. Never a pipe. */
  readonly askSecret: (prompt: string) => Promise<string | null>
  /** Resolves when somebody asks this process to stop; asked once more, it stops at once. */
  readonly untilStopped: () => Promise<void>
  /** Shows an address in the person's browser; false when there is none. */
  readonly openBrowser: (url: string) => Promise<boolean>
}

export type Output = {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
}

/** 0 done, 1 refused or failed, 2 wrong use, 3 nobody listening. */
export type ExitCode = 0 | 1 | 2 | 3
