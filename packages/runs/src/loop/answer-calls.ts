/**
 * The tool calls of one answer, as the run takes them.
 *
 * I1. No tool-call id occurs twice in a run, whatever the model says.
 * I2. An answer has at most one call more than are taken. That one is refused and speaks for those after it, which are left out.
 * I3. Arguments that no call may have are not kept; their call is refused.
 */
import type { LanguageModelV4StreamPart, LanguageModelV4ToolCall } from "@ai-sdk/provider"
import type { ReadResult } from "@byleave/core"
import { UnusableAnswer } from "../models/unusable-answer.ts"
import type { ModelLimits } from "../run-limits.ts"
import { asRefused } from "./refused-calls.ts"

export type AnswerCallsPorts = {
  /** Ids that calls of the run have. */
  readonly taken: Set<string>
  /** The last number that was put behind an id which was taken, for every such id of the leg. */
  readonly numbers: Map<string, number>
  readonly readArgs: (input: string) => ReadResult
  readonly limits: Pick<ModelLimits, "calls" | "callsRead">
}

/** Gives each part of an answer as the run takes it, or null where it is left out. */
export function createAnswerCalls(
  ports: AnswerCallsPorts,
): (part: LanguageModelV4StreamPart) => LanguageModelV4StreamPart | null {
  const { taken, numbers } = ports
  const { calls: most, callsRead } = ports.limits
  /** The id in the run, by the id in the answer. */
  const names = new Map<string, string>()
  const called = new Set<string>()
  let count = 0
  let oneTooMany: string | null = null
  /** Some models number their calls anew in every answer, or use a number twice in one; the run knows its calls by these ids. */
  const newName = (id: string): string => {
    const plain = isPlain(id) ? id : "call"
    if (!taken.has(plain)) return plain
    let number = (numbers.get(plain) ?? 1) + 1
    while (taken.has(`${plain}_${number}`)) number += 1
    numbers.set(plain, number)
    return `${plain}_${number}`
  }
  const nameOf = (id: string): string | null => {
    const known = names.get(id)
    if (known !== undefined && !called.has(known)) return known
    count += 1
    if (count > callsRead) throw tooManyToRead(callsRead)
    if (count > most + 1) {
      names.delete(id)
      return null
    }
    const name = newName(id)
    if (count > most) oneTooMany = name
    taken.add(name)
    names.set(id, name)
    return name
  }
  /** For parts that follow the beginning of their call. */
  const knownName = (id: string): string | null => names.get(id) ?? (count > most ? null : id)
  const take = (call: LanguageModelV4ToolCall): LanguageModelV4ToolCall => {
    called.add(call.toolCallId)
    if (call.toolCallId === oneTooMany) return asRefused(call, tooManyWords(most))
    const read = ports.readArgs(call.input)
    if (read.ok || call.input.length <= longestUnreadable) return call
    return asRefused(call, unreadableWords(read.problem.message))
  }
  return (part) => {
    switch (part.type) {
      case "tool-input-start":
        return withId(part, nameOf(part.id))
      case "tool-input-delta":
      case "tool-input-end":
        return withId(part, knownName(part.id))
      case "tool-call": {
        const toolCallId = nameOf(part.toolCallId)
        return toolCallId === null ? null : take({ ...part, toolCallId })
      }
      case "tool-result": {
        const toolCallId = knownName(part.toolCallId)
        return toolCallId === null ? null : { ...part, toolCallId }
      }
      default:
        return part
    }
  }
}

/** Characters of unreadable arguments that the model may see again, to do better. So few cannot lead too deep for any reader. */
const longestUnreadable = 1_000

export function unreadableWords(why: string): string {
  return `The arguments of this call cannot be taken: ${why}`
}

function tooManyToRead(most: number): UnusableAnswer {
  return new UnusableAnswer("too-large", `The model's answer makes more than ${most} calls, the most that are read.`)
}

function tooManyWords(most: number): string {
  return `There are too many calls in one answer: ${most} are taken. Neither this call nor those after it ran. Make fewer calls at a time.`
}

function withId<Part extends LanguageModelV4StreamPart & { readonly id: string }>(
  part: Part,
  id: string | null,
): Part | null {
  return id === null ? null : { ...part, id }
}

/** An id goes into names of lines and keys of approvals. */
function isPlain(id: string): boolean {
  return /^[\x21-\x7e]{1,128}$/.test(id)
}
