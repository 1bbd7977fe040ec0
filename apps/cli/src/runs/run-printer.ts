/**
 * The events of a run, as a terminal shows them.
 *
 * I1. Nothing that a model, an agent or a server says reaches the terminal unescaped.
 * I2. What was shown is not shown again: a leg is told from its beginning whenever the connection comes back.
 * I3. Every row of a model's words begins with a mark, and rows are ended here: none can pass for a line of ours.
 * I4. What looks like a secret in arguments and results is masked, unless somebody wants to see it.
 */
import type { RunEventView, RunPartView } from "@byleave/api"
import { showText } from "@byleave/core"
import { cutLine } from "../decide/cut-line.ts"
import { type Reveal, shownArgsText, shownResult } from "../decide/masks.ts"
import { rowWidth } from "../decide/session-lines.ts"
import { wrapLine } from "../decide/wrap-line.ts"
import { type Paint, safeLines } from "../terminal/paint.ts"
import { createRows } from "./rows.ts"

export type RunPrinter = {
  readonly event: (event: Exclude<RunEventView, { type: "state" | "removed" }>) => void
  /** The stream begins anew. */
  readonly again: () => void
  /** Lines of our own. */
  readonly line: (text: string) => void
  /** Whether anything of the leg was shown. */
  readonly hasShown: (leg: number) => boolean
}

export type RunPrinterOptions = {
  readonly write: (text: string) => void
  readonly paint: Paint
  /** How wide the terminal is now; undefined where it is none. */
  readonly columns: () => number | undefined
  readonly reveal: Reveal
}

const widest = 100

export function createRunPrinter({ write, paint, columns, reveal }: RunPrinterOptions): RunPrinter {
  const width = (): number => rowWidth(columns())
  const rows = createRows(write, width)
  const texts = createTexts(rows.say, paint)
  const names = new Map<string, string>()
  const told = new Set<string>()
  const legs = new Set<number>()
  const once = (key: string, text: string): void => {
    if (told.has(key)) return
    told.add(key)
    rows.line(wrapLine(text.trimEnd(), width()).join("\n"))
  }
  const nameOf = (toolCall: string): string => cutLine(showText(names.get(toolCall) ?? toolCall), widest)
  const outcome = (toolCall: string, head: string, text: string): void => {
    const [first = ""] = text.trim().split("\n", 1)
    once(`${toolCall} outcome`, `${head}  ${paint("dim", cutLine(showText(first), widest))}`)
  }
  const part = (leg: number, of: RunPartView): void => {
    if (of.type !== "text" && of.type !== "reasoning") rows.flush()
    switch (of.type) {
      case "step-started":
        texts.step()
        break
      case "text":
      case "reasoning":
        texts.say(leg, of)
        break
      case "tool-call": {
        names.set(of.toolCall, of.name)
        const args = cutLine(showText(shownArgsText(JSON.stringify(of.args), reveal)), widest)
        once(`${of.toolCall} call`, `${paint("cyan", `→ ${nameOf(of.toolCall)}`)}  ${paint("dim", args)}`)
        break
      }
      case "tool-asked":
        once(`${of.toolCall} asked`, `  ${paint("yellow", "needs approval:")} ${nameOf(of.toolCall)}`)
        break
      case "tool-result":
        outcome(of.toolCall, `← ${nameOf(of.toolCall)}`, shownResult(of.text, reveal))
        break
      case "tool-error":
        outcome(of.toolCall, paint("red", `✗ ${nameOf(of.toolCall)}`), shownResult(of.text, reveal))
        break
      case "tool-denied":
        outcome(of.toolCall, paint("red", `✗ ${nameOf(of.toolCall)} was denied`), of.reason)
        break
      case "step-ended":
        break
    }
  }
  return {
    line: rows.line,
    hasShown: (leg) => legs.has(leg),
    again: texts.again,
    event: (event) => {
      legs.add(event.leg)
      if (event.type === "part") part(event.leg, event.part)
      else if (event.type === "retry") rows.line(paint("yellow", `The model failed; asking again (${event.attempt}).`))
      else texts.again()
    },
  }
}

/** Texts that arrive piece by piece; of one that is told again, what goes beyond what was shown. */
function createTexts(say: ReturnType<typeof createRows>["say"], paint: Paint) {
  const shown = new Map<string, number>()
  const arrived = new Map<string, number>()
  let step = 0
  /** The first half of a character whose other half is to come. */
  let half = ""
  return {
    step: (): void => {
      step += 1
    },
    again: (): void => {
      arrived.clear()
      step = 0
    },
    say: (leg: number, { type, id, delta }: Extract<RunPartView, { type: "text" | "reasoning" }>): void => {
      const key = `${leg} ${step} ${type} ${id}`
      const before = arrived.get(key) ?? 0
      const known = shown.get(key) ?? 0
      arrived.set(key, before + delta.length)
      const fresh = `${half}${delta.slice(Math.max(known - before, 0))}`
      half = /[\uD800-\uDBFF]$/.exec(fresh)?.[0] ?? ""
      const text = safeLines(fresh.slice(0, fresh.length - half.length))
      if (text === "") return
      shown.set(key, Math.max(known, before + delta.length))
      say(text, { begins: known === 0, painted: type === "text" ? (word) => word : (word) => paint("dim", word) })
    },
  }
}
