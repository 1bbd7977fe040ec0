import { z } from "zod"
import { epochMs } from "../json.ts"
import { argumentPreview } from "./approval-view.ts"
import { effect, sessionRef, toolRef } from "./shared-schemas.ts"

/** Something about a place in the text of a configuration, and what to do. */
export const textProblem = z.object({
  severity: z.enum(["error", "warning"]),
  message: z.string(),
  /** From 1; null when it is about the whole. */
  line: z.int().nullable(),
  column: z.int().nullable(),
})
export type TextProblem = z.infer<typeof textProblem>

/** The configuration file as it is written; secrets in it are masked, and lines with a mask are to be left as they are. */
export const policyTextView = z
  .object({
    /** Null when the service has no file of its own to edit; `why` then says so. */
    text: z.string().nullable(),
    why: z.string().nullable(),
    /** Names this state of the file: a save states which one was edited. */
    version: z.string(),
    /** Its name, without the folders that lead there. */
    file: z.string(),
    problems: z.array(textProblem).readonly(),
    /** The held call by which a change that widens waits for a yes; null when none does. */
    waiting: z.string().nullable(),
    /** False: the file can be used, and something it says is not in force. It waits for a yes, was denied, or withdrawn. */
    inForce: z.boolean(),
  })
  .meta({ id: "PolicyText" })
export type PolicyTextView = z.infer<typeof policyTextView>

const changed = z.object({ sentence: z.string(), rule: z.string().nullable() })

/** A call whose outcome would change with the text, against the rules in force, all else as it was when it was called. */
const differentCall = z.object({
  call: z.string(),
  at: epochMs,
  tool: toolRef,
  principal: z.string(),
  session: sessionRef,
  before: effect,
  after: effect,
  /** Why it would be so now. */
  why: z.string(),
  /** The beginning of its arguments; null once they are no longer kept. */
  preview: argumentPreview.nullable(),
  /** A person was asked about it and denied it. */
  wasDenied: z.boolean(),
})

/** Everything else of the text stays as it was. */
export const textWithRule = z.object({ text: z.string() })

/** The file after a change of rules. */
export const changedRulesView = z.object({
  /** Of the rules to remove, those that it had. */
  removed: z.array(z.string()).readonly(),
  version: z.string(),
  /** The held call by which a change that widens waits for a yes; null when none does. */
  waiting: z.string().nullable(),
})

/** The effects of saving a text. */
export const policyPreviewView = z
  .object({
    problems: z.array(textProblem).readonly(),
    /** False: it cannot be saved as it is. */
    ok: z.boolean(),
    tightens: z.array(changed).readonly(),
    widens: z.array(changed).readonly(),
    /** Other changes: servers, limits, reviewers. */
    other: z.array(changed).readonly(),
    /** Known tools whose outcome would change. */
    tools: z.array(z.object({ tool: toolRef, before: effect, after: effect, why: z.string() })).readonly(),
    calls: z.object({
      /** How many recorded calls were looked at, at most 1,000, and how many of them could not be evaluated. */
      looked: z.int(),
      skipped: z.int(),
      different: z.array(differentCall).readonly(),
    }),
  })
  .meta({ id: "PolicyPreview" })
export type PolicyPreviewView = z.infer<typeof policyPreviewView>

/** A rule that would have answered past questions as people did. */
export const suggestionView = z
  .object({
    /** As an entry of `policy.rules`, with its dash; on several lines. */
    rule: z.string(),
    words: z.string(),
    effect,
    /** The same for the same rule, however often it is suggested. */
    id: z.string(),
    tool: toolRef,
    /** The agent it is for; null: all of them. */
    agent: z.string().nullable(),
    /** The held calls it rests on, and how they were answered. */
    evidence: z.array(z.string()).readonly(),
    approved: z.int(),
    denied: z.int(),
    /** Over how many sessions, days and agents they are spread. */
    sessions: z.int(),
    days: z.int(),
    agents: z.int(),
    /** Questions of the last seven days that it would have spared. */
    saves: z.int(),
    /** Held calls that it would have decided as well, without resting on them. */
    also: z.array(z.string()).readonly(),
    /** Of the calls that wait now, those that it would decide; it releases none of them. */
    waiting: z.array(z.string()).readonly(),
    /** The rule that lets through what people denied, and that this one takes back in part. */
    narrows: z.string().nullable(),
    /** Rules in force that it says as well, as they are written: accepting it removes them. */
    replaces: z.array(z.string()).readonly(),
  })
  .meta({ id: "Suggestion" })
export type SuggestionView = z.infer<typeof suggestionView>

/** Suggested rules, and the questions of the last seven days. */
export const suggestionsView = z
  .object({
    items: z.array(suggestionView).readonly(),
    /** There was more to look at than time allowed: other rules may be missing. */
    isCut: z.boolean(),
    week: z.object({
      /** Held calls that people answered. */
      asked: z.int(),
      approved: z.int(),
      denied: z.int(),
      /** How many of them the rules would have answered, each counted once. */
      saved: z.int(),
      /** The tools that were asked about most. */
      tools: z.array(z.object({ tool: toolRef, asked: z.int() })).readonly(),
    }),
  })
  .meta({ id: "Suggestions" })
export type SuggestionsView = z.infer<typeof suggestionsView>
