import { z } from "zod"
import { epochMs } from "../json.ts"
import { sessionRef, toolRef } from "./shared-schemas.ts"

/** A rule to consider. Nobody answered the calls it is drawn from, so it says what an agent does and not what anybody allowed. */
const proposedRuleView = z
  .object({
    /** As an entry of `policy.rules`, with its dash; on several lines. */
    rule: z.string(),
    words: z.string(),
    /** The same for the same rule. */
    id: z.string(),
    tool: toolRef,
    /** The agent it is for; null: all of them. */
    agent: z.string().nullable(),
    /** The observed calls that it would allow, oldest first. */
    covers: z.array(z.string()).readonly(),
    /** How many they are, and over how many sessions, days and agents they are spread. */
    calls: z.int(),
    sessions: z.int(),
    days: z.int(),
    agents: z.int(),
    /** Rules in force that it says as well, as they are written: accepting it removes them. */
    replaces: z.array(z.string()).readonly(),
  })
  .meta({ id: "ProposedRule" })
export type ProposedRuleView = z.infer<typeof proposedRuleView>

/** What ran in `observe` and would have needed approval. */
export const observedView = z
  .object({
    since: epochMs,
    wouldAsk: z.int(),
    /** Those that the policy in force would still ask about. */
    stillAsk: z.int(),
    /** Of those, what looks sensitive or destroys something: no rule is proposed for it. */
    delicate: z.int(),
    /** Of those, what the proposed rules would have spared together. */
    spared: z.int(),
    /** The fewest rules that spare half; all there are, where those spare less. */
    rules: z.array(proposedRuleView).readonly(),
    /** Most calls first. */
    tools: z.array(z.object({ tool: toolRef, calls: z.int() })).readonly(),
    agents: z.array(z.object({ agent: z.string(), calls: z.int() })).readonly(),
    /** By the beginning of the day in UTC, the first day first. */
    days: z.array(z.object({ day: epochMs, calls: z.int() })).readonly(),
    /** The last one first. */
    sessions: z.array(sessionRef.extend({ key: z.string(), calls: z.int(), lastAt: epochMs })).readonly(),
    /** There was more than one report looks at: it tells of the newest calls, and other rules may be missing. */
    isCut: z.boolean(),
  })
  .meta({ id: "Observed" })
export type ObservedView = z.infer<typeof observedView>
