/**
 * What happens in a run, as a terminal shows it.
 *
 * I1. Nothing that a model, an agent or a server says reaches the terminal unescaped.
 * I2. What was shown is not shown again: a leg is told from its beginning whenever the connection comes back.
 */
import type { RunEventView, RunPartView } from "@byleave/api"
import { showText } from "@byleave/core"
import { cutLine } from "../decide/cut-line.ts"
import type { Paint } from "../terminal/paint.ts"

export type RunPrinter = {
  readonly event: (event: Exclude<RunEventView, { type: "state" | "removed" }>) => void
  /** The stream begins anew. */
  readonly again: () => void
  /** A line of our own. */
  readonly line: (text: string) => void
  /** Whether anything of the leg was shown. */
  readonly hasShown: (leg: number) => boolean
}

const widest = 100

export function createRunPrinter(write: (text: string) => void, paint: Paint): RunPrinter {
  const lines = createLines(write)
  const texts = createTexts(lines.open, paint)
  const names = new Map<string, string>()
  const told = new Set<string>()
  const legs = new Set<number>()
  const once = (key: string, text: string): void => {
    if (told.has(key)) return
    told.add(key)
    lines.line(text)
  }
  const nameOf = (toolCall: string): string => showText(names.get(toolCall) ?? toolCall)
  const outcome = (toolCall: string, head: string, text: string): void => {
    const [first = ""] = text.trim().split("\n", 1)
    once(`${toolCall} outcome`, `${head}  ${paint("dim", cutLine(showText(first), widest))}`.trimEnd())
  }
  const part = (leg: number, of: RunPartView): void => {
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
        const args = cutLine(showText(JSON.stringify(of.args)), widest)
        once(`${of.toolCall} call`, `${paint("cyan", `→ ${showText(of.name)}`)}  ${paint("dim", args)}`)
        break
      }
      case "tool-asked":
        once(`${of.toolCall} asked`, `  ${paint("yellow", "needs approval:")} ${nameOf(of.toolCall)}`)
        break
      case "tool-result":
        outcome(of.toolCall, `← ${nameOf(of.toolCall)}`, of.text)
        break
      case "tool-error":
        outcome(of.toolCall, paint("red", `✗ ${nameOf(of.toolCall)}`), of.text)
        break
      case "tool-denied":
        outcome(of.toolCall, paint("red", `✗ ${nameOf(of.toolCall)} was denied`), of.reason)
        break
      case "step-ended":
        break
    }
  }
  return {
    line: lines.line,
    hasShown: (leg) => legs.has(leg),
    again: texts.again,
    event: (event) => {
      legs.add(event.leg)
      if (event.type === "part") part(event.leg, event.part)
      else if (event.type === "retry") lines.line(paint("yellow", `The model failed; asking again (${event.attempt}).`))
      else texts.again()
    },
  }
}

/** Lines of our own begin on a line of their own, whatever was being said. */
function createLines(write: (text: string) => void) {
  let isOpen = false
  return {
    line: (text: string): void => {
      write(`${isOpen ? "\n" : ""}${text}\n`)
      isOpen = false
    },
    /** `begins`: something new is said. */
    open: (text: string, begins: boolean): void => {
      write(`${begins ? "\n" : ""}${text}`)
      isOpen = !text.endsWith("\n")
    },
  }
}

/** Texts that arrive piece by piece; of one that is told again, what goes beyond what was shown. */
function createTexts(open: (text: string, begins: boolean) => void, paint: Paint) {
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
      const text = escaped(fresh.slice(0, fresh.length - half.length))
      if (text === "") return
      shown.set(key, Math.max(known, before + delta.length))
      open(type === "text" ? text : paint("dim", text), known === 0)
    },
  }
}

/** As a terminal may show it: lines stay lines, and everything else that is hidden is marked. */
function escaped(text: string): string {
  return text.split("\n").map(showText).join("\n")
}
