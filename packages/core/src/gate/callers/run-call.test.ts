import { expect, it } from "vitest"
import type { RunOutcome } from "../../approval/approval-event.ts"
import { perform } from "./run-call.ts"

const running = { approval: null, cancelled: new Promise<void>(() => {}) } as Parameters<typeof perform>[2]

function throws(): never {
  throw new Error("looked at")
}

const revoked = Proxy.revocable({}, {})
revoked.revoke()

it.each<{ name: string; gives: unknown; detail: string }>([
  { name: "whose kind throws", gives: Object.defineProperty({}, "kind", { get: throws }), detail: "looked at" },
  {
    name: "whose result throws",
    gives: Object.defineProperty({ kind: "succeeded" }, "result", { enumerable: true, get: throws }),
    detail: "looked at",
  },
  {
    name: "with a result that throws inside",
    gives: { kind: "succeeded", result: new Proxy({}, { ownKeys: throws }) },
    detail: "looked at",
  },
  { name: "that nobody can look at", gives: revoked.proxy, detail: "revoked" },
  { name: "of no kind", gives: { kind: "done" }, detail: "not an outcome" },
])("an outcome $name is unknown", async ({ gives, detail }) => {
  const settled = perform(async () => gives as RunOutcome, {}, running)
  await expect(settled).resolves.toMatchObject({ kind: "unknown", detail: expect.stringContaining(detail) })
})

it.each<{ name: string; thrown: unknown; detail: string }>([
  { name: "an error", thrown: new Error("it broke"), detail: "it broke" },
  { name: "what has no text", thrown: Object.create(null), detail: "cannot be read" },
  {
    name: "an error whose message throws",
    thrown: Object.defineProperty(new Error(), "message", { get: throws }),
    detail: "cannot be read",
  },
  { name: "what nobody can look at", thrown: revoked.proxy, detail: "cannot be read" },
])("a run that throws $name has an unknown outcome, also where it throws at once", async ({ thrown, detail }) => {
  const unknown = { kind: "unknown", detail: expect.stringContaining(detail) }
  expect(await perform(() => Promise.reject(thrown), {}, running)).toMatchObject(unknown)
  const atOnce = () => {
    throw thrown
  }
  expect(await perform(atOnce, {}, running)).toMatchObject(unknown)
})
