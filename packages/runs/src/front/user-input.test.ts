import { listAt } from "@byleave/core"
import { expect, it } from "vitest"
import { newInput } from "./user-input.ts"

const user = (...parts: object[]) => ({ role: "user", parts })
const agent = { role: "assistant", parts: [{ type: "text", text: "Hello." }] }
const png = { type: "file", mediaType: "image/png", data: "aGk=" }

it.each([
  {
    name: "the last words",
    messages: [user({ type: "text", text: "a" }), agent, user({ type: "text", text: "b" })],
    content: ["b"],
  },
  { name: "nothing where the agent spoke last", messages: [user({ type: "text", text: "a" }), agent], content: [] },
  {
    name: "a file in the message",
    messages: [user({ type: "file", mediaType: "image/png", url: "data:image/png;base64,aGk=" })],
    content: [[png]],
  },
  {
    name: "a picture as AG-UI sends it",
    messages: [user({ type: "image", source: { type: "data", value: "aGk=", mimeType: "image/png" } })],
    content: [[png]],
  },
  { name: "no part of a kind it does not know", messages: [user({ type: "data-mood", data: 1 })], content: [] },
])("takes $name", ({ messages, content }) => {
  const read = newInput(messages as never, (message) => listAt(message, "parts") ?? [])
  expect(read).toEqual({ ok: true, messages: content.map((each) => ({ role: "user", content: each })) })
})

it.each([
  { part: { type: "file", mediaType: "image/png", url: "http://169.254.169.254/" } },
  { part: { type: "file", mediaType: "text/plain", url: "file:///etc/passwd" } },
  { part: { type: "image", source: { type: "url", value: "https://example.com/a.png" } } },
])("fetches nothing for a page: $part.type", ({ part }) => {
  expect(newInput([user(part)] as never, (message) => listAt(message, "parts") ?? [])).toMatchObject({ ok: false })
})
