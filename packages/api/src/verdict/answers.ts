import { z } from "zod"
import { epochMs } from "../json.ts"
import { problem } from "../problem.ts"
import { approvalSummaryView, approvalView } from "../views/approval-view.ts"
import { reviewerView, tokenView } from "../views/credential-views.ts"
import { grantView } from "../views/grant-view.ts"

const alsoSettled = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), approval: approvalSummaryView }),
  z.object({ ok: z.literal(false), id: z.string(), problem }),
])

/** The result of a verdict. */
export const answered = z.object({
  approval: approvalView,
  /** The grant that remembers it. */
  grant: grantView.nullable(),
  also: z.array(alsoSettled).readonly(),
})
export type Answered = z.infer<typeof answered>

/** An answer per verdict, in their order; without arguments, since there may be many. */
export const answeredAll = z.object({
  answers: z
    .array(
      z.discriminatedUnion("ok", [
        answered.extend({ ok: z.literal(true), approval: approvalSummaryView }),
        z.object({ ok: z.literal(false), id: z.string(), problem }),
      ]),
    )
    .readonly(),
})
export type AnsweredAll = z.infer<typeof answeredAll>

/** The result for each grant of an imported file, in its order. */
export const importedGrants = z.object({
  results: z
    .array(
      z.discriminatedUnion("ok", [
        z.object({ ok: z.literal(true), grant: grantView, known: z.boolean() }),
        z.object({ ok: z.literal(false), why: z.string() }),
      ]),
    )
    .readonly(),
})
export type ImportedGrants = z.infer<typeof importedGrants>

/** The only time the secret is told. */
export const newToken = z.object({ token: tokenView, secret: z.string() })
export type NewToken = z.infer<typeof newToken>

/** A one-time link; `link` goes into the sign-in, `url` into the address bar. */
export const newLink = z.object({ link: z.string(), url: z.string(), reviewer: z.string(), expiresAt: epochMs })
export type NewLink = z.infer<typeof newLink>

export const signedIn = z.object({ reviewer: reviewerView, device: z.string(), presence: z.boolean() })
export type SignedIn = z.infer<typeof signedIn>
