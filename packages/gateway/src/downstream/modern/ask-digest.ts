import { hash } from "node:crypto"
import { canonicalJson, type JsonObject, without } from "@byleave/core"
import type { Ask } from "../../wire/message.ts"

const notAsked = ["_meta", "inputResponses", "requestState"]

/** The request and the server it goes to, as one digest: the same for every leg of one call. */
export function askDigest(path: string, ask: Ask): string {
  const asked: JsonObject = { path, method: ask.method, params: without(ask.params ?? {}, notAsked) }
  return hash("sha256", canonicalJson(asked), "hex")
}
