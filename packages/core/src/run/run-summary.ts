import { textAt } from "../call/json/members.ts"
import { firstCharacters } from "../call/text/first-characters.ts"
import type { AgentRun, RunSetup } from "./agent-run.ts"

type WithoutSetup<Each> = Each extends AgentRun ? Omit<Each, "setup" | "requirements" | "answered"> : never

/** A run without what its starter sent and without the calls it waits for: for lists, which stay small whatever programs send. */
export type RunSummary = WithoutSetup<AgentRun> & {
  readonly setup: Pick<RunSetup, "model" | "servers" | "maxSteps">
  /** How many calls it paused for; some may be answered. */
  readonly waitsFor: number
  /** The beginning of the page's own name for the conversation; absent: it has none. */
  readonly thread?: string
}

const longestTitle = 200
const longestSentence = 2_000
const longestThread = 200

export function runSummaryOf(run: AgentRun): RunSummary {
  const { setup, requirements: _, answered: __, ...rest } = run as AgentRun & Left
  const { model, servers, maxSteps } = setup
  const thread = textAt(setup.metadata, "thread")
  return {
    ...rest,
    title: firstCharacters(run.title, longestTitle),
    ...("detail" in run ? { detail: firstCharacters(run.detail, longestSentence) } : {}),
    setup: { model, servers, maxSteps },
    waitsFor: run.status === "paused" ? run.requirements.length : 0,
    ...(thread === undefined ? {} : { thread: threadInSummary(thread) }),
  } as RunSummary
}

/** As much of a page's name for a conversation as a summary keeps. */
export function threadInSummary(thread: string): string {
  return firstCharacters(thread, longestThread)
}

type Left = { readonly requirements?: unknown; readonly answered?: unknown }
