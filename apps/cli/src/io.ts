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
  readonly readFile: (path: string) => Promise<Uint8Array>
  readonly readStdin: () => Promise<Uint8Array>
  /** Where links lead; null when that cannot be seen. */
  readonly realPath: (path: string) => string | null
  readonly now: () => number
}

export type Output = {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
}

/** 0 done, 1 refused or failed, 2 wrong use, 3 nobody listening. */
export type ExitCode = 0 | 1 | 2 | 3
