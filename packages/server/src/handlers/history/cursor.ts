import { z } from "zod"
import { type RefusedRequest, refuse } from "../../refused.ts"

/** Where a page ended, as text nobody needs to understand. */
export function writeCursor(place: readonly (string | number)[]): string {
  return encodeURIComponent(JSON.stringify(place))
}

export function readCursor<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | RefusedRequest {
  try {
    const parsed = schema.safeParse(JSON.parse(decodeURIComponent(text)))
    if (parsed.success) return parsed.data
  } catch {
    // Falls through: what is not JSON is no cursor either.
  }
  return refuse("bad-request", "Invalid cursor. Use `next` from the previous page, or leave it out.")
}

export const approvalCursor = z.tuple([z.number(), z.string()])
export const auditCursor = z.tuple([z.number(), z.string(), z.number()])
