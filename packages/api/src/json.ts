import type { JsonObject, JsonValue } from "@byleave/core"
import { z } from "zod"

// Not z.record: it drops "__proto__" and trips over "constructor", and agents choose these keys.
function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** A JSON object as somebody else wrote it, passed on untouched. */
export const jsonObject = z.custom<JsonObject>(isObject, "Expected an object.").meta({ type: "object" })

export const jsonValue = z.custom<JsonValue>((value) => value !== undefined, "Expected a JSON value.")

export const epochMs = z.int().min(0)

/** Names people give to tokens and reviewers: they appear in rules, commands and addresses. */
export const plainName = z
  .string()
  .regex(/^[A-Za-z0-9][\w.@-]{0,63}$/, "Use letters, digits, and . _ @ - after the first; at most 64 characters.")

/** One page of a list; `next` is the cursor of the page after it, null on the last one. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item).readonly(), next: z.string().nullable() })
}
