import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { expect, it } from "vitest"
import { journalAnswers, streamOf } from "./journaled-model.ts"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const finish = { type: "finish", finishReason: { unified: "stop", raw: undefined }, usage } as LanguageModelV4StreamPart

it("an answer that has ended leaves nothing with its leg, however long that goes on", async () => {
  const leg = new AbortController()
  const signals: Array<WeakRef<AbortSignal>> = []
  const model = {
    doStream: async ({ abortSignal }: LanguageModelV4CallOptions) => {
      if (abortSignal !== undefined) signals.push(new WeakRef(abortSignal))
      return { stream: streamOf([finish]) }
    },
  } as Partial<LanguageModelV4> as LanguageModelV4
  const { wrapStream } = journalAnswers({
    given: [],
    toolCalls: new Set(),
    write: async () => {},
    onAnswer: () => {},
    onRetry: () => {},
    mustFit: () => {},
    readArgs: () => ({ ok: true, value: {} }),
    limits: { answerBytes: 1_000_000, calls: 100, callsRead: 100 },
    redactText: (text) => text,
    answerMs: 60_000,
  })
  for (let i = 0; i < 20; i++) {
    const params = { prompt: [], abortSignal: leg.signal }
    const answer = await wrapStream?.({
      model,
      params,
      doStream: () => model.doStream(params),
      doGenerate: () => model.doGenerate(params),
    })
    for await (const _ of answer?.stream ?? []) {
      // Read to its end.
    }
  }
  await expect
    .poll(() => {
      collect()
      return signals.filter((signal) => signal.deref() !== undefined).length
    })
    .toBeLessThan(3)
  expect(signals).toHaveLength(20)
  expect(leg.signal.aborted).toBe(false)
})
