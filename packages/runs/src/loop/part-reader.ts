import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"

type PartResult = ReadableStreamReadResult<LanguageModelV4StreamPart>
export type Delta = Extract<LanguageModelV4StreamPart, { type: "text-delta" | "reasoning-delta" | "tool-input-delta" }>

export type PartReader = {
  readonly next: () => Promise<PartResult>
  readonly cancel: (reason?: unknown) => Promise<void>
}

/** Reads a model's stream; pieces of one text that are there already come as one: every part that passes costs the loop a dozen queues. */
export function createPartReader(stream: ReadableStream<LanguageModelV4StreamPart>): PartReader {
  const reader = stream.getReader()
  let ahead: Promise<PartResult> | null = null
  const read = (): Promise<PartResult> => {
    const next = ahead ?? reader.read()
    ahead = null
    return next
  }
  return {
    next: async () => {
      const first = await read()
      if (first.done || !isDelta(first.value)) return first
      let text = first.value.delta
      for (;;) {
        const following = read()
        ahead = following
        const more = await ifThere(following)
        if (more === null || more.done || !isDelta(more.value) || !isSameText(first.value, more.value)) break
        text += more.value.delta
        ahead = null
      }
      return { done: false, value: { ...first.value, delta: text } }
    },
    cancel: (reason) => reader.cancel(reason),
  }
}

export function isDelta(part: LanguageModelV4StreamPart): part is Delta {
  return part.type === "text-delta" || part.type === "reasoning-delta" || part.type === "tool-input-delta"
}

/** Whether the second goes on with what the first says. */
export function isSameText(one: Delta, other: Delta): boolean {
  return one.type === other.type && one.id === other.id && other.providerMetadata === undefined
}

/** A part that is there takes a few turns of the promise queue to arrive; for one that is not, nobody waits. */
const turns = 8

async function ifThere(read: Promise<PartResult>): Promise<PartResult | null> {
  let found: PartResult | null = null
  // A failure is reported to the next read.
  read.then(
    (result) => {
      found = result
    },
    () => {},
  )
  for (let turn = 0; turn < turns && found === null; turn++) await null
  return found
}
