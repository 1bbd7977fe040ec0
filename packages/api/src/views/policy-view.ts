import { z } from "zod"
import { jsonObject } from "../json.ts"
import { access, accessSource, effect, mode, pinState } from "./shared-schemas.ts"

const ruleView = z.object({
  id: z.string(),
  effect,
  /** As rule text, and in words. */
  text: z.string(),
  words: z.string(),
  reason: z.string().nullable(),
  where: z.string(),
  /** The template that it comes from, such as `read-only@1`; null: it is written in the configuration. */
  template: z.string().nullable(),
})

export const policyView = z
  .object({
    version: z.string(),
    default: z.enum(["ask", "deny", "allow"]),
    rules: z.array(ruleView).readonly(),
    limits: jsonObject,
    forbiddenModes: z.array(mode).readonly(),
    selfApproval: z.boolean(),
    /** Milliseconds a call waits for a person; null is for ever. */
    wait: z.number().nullable(),
  })
  .meta({ id: "Policy" })
export type PolicyView = z.infer<typeof policyView>

export const explanationView = z
  .object({
    effect,
    remember: z.enum(["allowed", "never"]),
    approvals: z.int(),
    reviewers: z.array(z.string()).readonly(),
    reason: z.string(),
    matched: z
      .array(
        z.object({
          of: z.enum(["rule", "grant"]),
          id: z.string(),
          text: z.string(),
          where: z.string(),
          effect,
          judged: z.enum(["holds", "fails", "unjudged"]),
          why: z.string().nullable(),
          decided: z.boolean(),
        }),
      )
      .readonly(),
    nearest: z.object({ id: z.string(), text: z.string(), where: z.string(), why: z.string() }).nullable(),
    wouldChange: z.array(z.string()).readonly(),
    /** Milliseconds it would wait for a person; null is for ever. */
    wait: z.number().nullable(),
    /** It runs, and would ask in another mode. */
    wouldAsk: z.boolean(),
    mode,
    /** Null for what is no tool. */
    access: access.nullable(),
    accessFrom: accessSource.nullable(),
    pin: pinState.nullable(),
    /** The version of the policy in force. */
    policy: z.string(),
  })
  .meta({ id: "Explanation" })
export type ExplanationView = z.infer<typeof explanationView>
