/** The service's log: one entry a line, as text for people or as JSON for programs. It never holds a secret or an argument. */
import { jsonLine, sentenceLines } from "../../terminal/paint.ts"

export const logFormats = ["text", "json"] as const
export type LogFormat = (typeof logFormats)[number]

/** From the fewest entries to the most: a level includes those before it. */
export const logLevels = ["error", "warn", "info", "debug"] as const
export type LogLevel = (typeof logLevels)[number]

/** Told besides the message, in JSON as members of their own. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>

export type Log = Readonly<Record<LogLevel, (message: string, fields?: LogFields) => void>> & {
  readonly level: LogLevel
}

export type LogOptions = {
  readonly format: LogFormat
  readonly level: LogLevel
  readonly now: () => number
  readonly write: (text: string) => void
  /** Takes secrets out. Absent: the message holds none. */
  readonly redact?: (text: string) => string
}

export function createLog({ format, level, now, write, redact = (text) => text }: LogOptions): Log {
  const entry = (of: LogLevel, message: string, fields: LogFields = {}): void => {
    const said = redact(message)
    write(format === "json" ? jsonEntry(of, said, fields, now()) : textEntry(of, said, fields))
  }
  const nothing = (): void => {}
  const most = logLevels.indexOf(level)
  const at = (of: LogLevel): Log[LogLevel] =>
    logLevels.indexOf(of) > most ? nothing : (message, fields) => entry(of, message, fields)
  return { level, error: at("error"), warn: at("warn"), info: at("info"), debug: at("debug") }
}

function jsonEntry(level: LogLevel, message: string, fields: LogFields, at: number): string {
  return `${jsonLine({ time: new Date(at).toISOString(), level, message, ...fields })}\n`
}

const prefixes = { error: "Error: ", warn: "Warning: ", info: "", debug: "debug " } as const satisfies Record<
  LogLevel,
  string
>

function textEntry(level: LogLevel, message: string, fields: LogFields): string {
  const told = Object.entries(fields).map(([name, value]) => ` ${name}=${String(value)}`)
  return `${sentenceLines(`${prefixes[level]}${message}${told.join("")}`)}\n`
}
