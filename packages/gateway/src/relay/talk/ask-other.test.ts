import type { JsonObject } from "@byleave/core"
import { expect, it } from "vitest"
import { namedBy } from "./ask-other.ts"

it.each<{ method: string; params: JsonObject; kind?: string; name?: string }>([
  { method: "prompts/get", params: { name: "p" }, kind: "prompt", name: "p" },
  { method: "resources/read", params: { uri: "a://1" }, kind: "resource", name: "a://1" },
  { method: "resources/subscribe", params: { uri: "a://1" }, kind: "resource", name: "a://1" },
  { method: "completion/complete", params: { ref: { type: "ref/prompt", name: "p" } }, kind: "prompt", name: "p" },
  {
    method: "completion/complete",
    params: { ref: { type: "ref/resource", uri: "a://{x}" }, argument: { name: "x", uri: "b://{x}" } },
    kind: "resource",
    name: "a://{x}",
  },
  { method: "completion/complete", params: { ref: { type: "ref/prompt", name: "p", uri: "a://1" } } },
  { method: "completion/complete", params: { ref: { type: "ref/resource", name: "p", uri: "a://1" } } },
  { method: "completion/complete", params: { ref: { type: "ref/other", uri: "a://1" } } },
  { method: "vendor/anything", params: { name: "p", uri: "a://1" } },
])("I1, I2: $method is about $kind $name", ({ method, params, kind, name }) => {
  const about = namedBy(method, params)
  if (kind === undefined) expect(about).toBeUndefined()
  else expect(about).toMatchObject({ kind, name })
})
