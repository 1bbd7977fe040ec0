/**
 * Regular expressions of servers, matched without ever going back: all ways a pattern can go are followed side by side.
 *
 * I1. A match takes steps in proportion to the text and the pattern, and each is counted; nested lookaheads count theirs.
 * I2. It says the same as the engine's own matcher.
 */
import type { CharacterTest } from "./read-characters.ts"
import { type Pattern, readPattern } from "./read-pattern.ts"
import { spend, unusable, type Work } from "./work.ts"

/** Whether a pattern is found anywhere in a text. Throws a `SchemaError` where that takes more work than is left. */
export type PatternTest = (text: string, work: Work) => boolean

type Instruction =
  | { readonly op: "character"; readonly test: CharacterTest }
  | { readonly op: "split"; readonly to: number[] }
  | { readonly op: "start" }
  | { readonly op: "end" }
  | { readonly op: "boundary"; readonly negative: boolean }
  | { readonly op: "ahead"; readonly program: Program; readonly negative: boolean }
  | { readonly op: "match" }

type Program = readonly Instruction[]

/** `room`: what this and other patterns may be made of together. */
export function compilePattern(source: string, room = { left: mostParts }): PatternTest {
  const size = { parts: 0, most: Math.min(mostParts, room.left) }
  const program = programOf(readPattern(source), size)
  room.left -= size.parts
  return (text, work) => runs(program, text, 0, true, work)
}

/** Of all programs of a pattern: a part that is repeated so many times is there so many times. */
const mostParts = 5_000

type Size = { parts: number; readonly most: number }

function programOf(pattern: Pattern, size: Size): Program {
  const program: Instruction[] = []
  emit(pattern, program, size)
  program.push({ op: "match" })
  return program
}

function emit(pattern: Pattern, program: Instruction[], size: Size): void {
  size.parts += 1
  if (size.parts > size.most) throw unusable("A pattern in it is too large, with all its repetitions.")
  switch (pattern.kind) {
    case "character":
      program.push({ op: "character", test: pattern.test })
      return
    case "sequence":
      for (const part of pattern.parts) emit(part, program, size)
      return
    case "choice":
      emitChoice(pattern.parts, program, size)
      return
    case "repeat":
      emitRepeat(pattern, program, size)
      return
    case "ahead":
      program.push({ op: "ahead", program: programOf(pattern.part, size), negative: pattern.negative })
      return
    case "boundary":
      program.push({ op: "boundary", negative: pattern.negative })
      return
    default:
      program.push({ op: pattern.kind })
  }
}

function emitChoice(parts: readonly Pattern[], program: Instruction[], size: Size): void {
  const ends: number[][] = []
  const to: number[] = []
  program.push({ op: "split", to })
  for (const part of parts) {
    to.push(program.length)
    emit(part, program, size)
    const end: number[] = []
    ends.push(end)
    program.push({ op: "split", to: end })
  }
  for (const end of ends) end.push(program.length)
}

function emitRepeat(
  { part, least, most }: Extract<Pattern, { kind: "repeat" }>,
  program: Instruction[],
  size: Size,
): void {
  for (let time = 0; time < least; time += 1) emit(part, program, size)
  if (most === Number.POSITIVE_INFINITY) {
    const again = program.length
    const to = [again + 1]
    program.push({ op: "split", to })
    emit(part, program, size)
    program.push({ op: "split", to: [again] })
    to.push(program.length)
    return
  }
  const skips: number[][] = []
  for (let time = least; time < most; time += 1) {
    const to = [program.length + 1]
    skips.push(to)
    program.push({ op: "split", to })
    emit(part, program, size)
  }
  for (const to of skips) to.push(program.length)
}

/** The ways that are open before one character. */
type Ways = { readonly waiting: number[]; readonly seenAt: Int32Array }

function newWays(program: Program): Ways {
  return { waiting: [], seenAt: new Int32Array(program.length).fill(-1) }
}

/** `anywhere`: a match may begin at any character from there on. */
function runs(program: Program, text: string, from: number, anywhere: boolean, work: Work): boolean {
  spend(work, 4 + (program.length >> 2))
  let now = newWays(program)
  let next = newWays(program)
  if (open(program, now, 0, text, from, work)) return true
  for (let at = from; at < text.length; ) {
    const codePoint = text.codePointAt(at) as number
    const after = at + (codePoint > 0xffff ? 2 : 1)
    next.waiting.length = 0
    spend(work, 1 + now.waiting.length)
    for (const place of now.waiting) {
      const { test } = program[place] as Extract<Instruction, { op: "character" }>
      spend(work, test.steps)
      if (test.fits(codePoint) && open(program, next, place + 1, text, after, work)) return true
    }
    if (anywhere && open(program, next, 0, text, after, work)) return true
    if (!anywhere && next.waiting.length === 0) return false
    ;[now, next] = [next, now]
    at = after
  }
  return false
}

/** Follows everything that takes no character; true when the pattern ends. */
function open(program: Program, ways: Ways, from: number, text: string, at: number, work: Work): boolean {
  const places = [from]
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    if (ways.seenAt[place] === at) continue
    ways.seenAt[place] = at
    spend(work, 1)
    const instruction = program[place] as Instruction
    if (instruction.op === "match") return true
    if (instruction.op === "character") ways.waiting.push(place)
    else if (instruction.op === "split") places.push(...instruction.to)
    else if (holdsAt(instruction, text, at, work)) places.push(place + 1)
  }
  return false
}

type Assertion = Extract<Instruction, { op: "start" | "end" | "boundary" | "ahead" }>

function holdsAt(assertion: Assertion, text: string, at: number, work: Work): boolean {
  if (assertion.op === "start") return at === 0
  if (assertion.op === "end") return at === text.length
  if (assertion.op === "ahead") return runs(assertion.program, text, at, false, work) !== assertion.negative
  return (isWord(text.charCodeAt(at - 1)) !== isWord(text.charCodeAt(at))) !== assertion.negative
}

/** Of a character's code; there is none before the first and after the last, which are no words. */
function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122)
}
