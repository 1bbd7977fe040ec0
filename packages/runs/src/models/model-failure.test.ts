import { APICallError } from "@ai-sdk/provider"
import { createRedactor } from "@byleave/core"
import { NoOutputGeneratedError, RetryError } from "ai"
import { expect, it } from "vitest"
import { modelFailure } from "./model-failure.ts"
import { createScriptedModel } from "./scripted-model.ts"

const secret = "sk-not-to-be-seen"
const redactor = createRedactor({ values: [secret] })
const call = (statusCode: number, message: string) =>
  new APICallError({ message, url: "https://api.example/v1", requestBodyValues: {}, statusCode, data: {} })

it.each([
  {
    name: "the last of several attempts",
    error: new RetryError({ message: "3 attempts", reason: "maxRetriesExceeded", errors: [call(529, "busy")] }),
    wanted: { retryable: true, detail: expect.stringContaining('"busy"') },
  },
  {
    name: "no output, for a reason",
    error: new NoOutputGeneratedError({ cause: call(401, "who?") }),
    wanted: { retryable: true, detail: expect.stringContaining("did not accept the key (401)") },
  },
  { name: "an address that can be put right", error: call(404, "what?"), wanted: { retryable: true } },
  { name: "a conversation that is too long", error: call(413, "no"), wanted: { retryable: false } },
  { name: "a time-out", error: new DOMException("t", "TimeoutError"), wanted: { retryable: true } },
  { name: "a defect", error: new RangeError(`odd ${secret}`), wanted: { retryable: false } },
  { name: "a text", error: `odd ${secret}`, wanted: { retryable: false } },
  { name: "nothing", error: undefined, wanted: { retryable: false, detail: "The model could not be used." } },
  {
    name: "a secret where the quote ends",
    error: call(400, `${"x".repeat(290)} ${secret}`),
    wanted: { retryable: false },
  },
  {
    name: "what hides something",
    error: call(400, "a\u202eb"),
    wanted: { detail: expect.stringContaining("a⟨U+202E⟩b") },
  },
])("$name", ({ error, wanted }) => {
  const failure = modelFailure(error, redactor)
  expect(failure).toMatchObject(wanted)
  expect(failure.detail).not.toContain("sk-not")
})

it("a secret that stands where a long message is cut is not told in part", () => {
  const { detail } = modelFailure(call(400, `x${" ".repeat(19_990)}${secret}`), redactor)
  expect(detail).toContain('"x')
  expect(detail).not.toContain("sk-")
})

it("a scripted failure is judged as a provider's would be", async () => {
  const steps = [{ fail: { status: 429, message: "slow down", retryAfter: 3 } }, { fail: { message: "gone" } }]
  const model = createScriptedModel({ name: "demo", provider: "scripted", steps })
  const failures: unknown[] = []
  for (const _ of steps) {
    await model.doStream({ prompt: [] }).then(undefined, (error) => failures.push(modelFailure(error, redactor)))
  }
  expect(failures).toMatchObject([{ retryable: true, retryAfterMs: 3_000 }, { retryable: true }])
})
