/**
 * When a text is looked at. Typing puts it off; a pause asks; an answer counts only for the text it was asked about, so a slow one never
 * passes for a look at a text that has moved on.
 */
import type { PolicyPreviewView, Problem, ServiceReply, TextProblem } from "@byleave/api"

export type PreviewState =
  | { readonly state: "idle" }
  /** Somebody types: it is asked once they pause. `known` are the problems of the last text that was looked at. */
  | { readonly state: "typing"; readonly text: string; readonly known: readonly TextProblem[] }
  | { readonly state: "asking"; readonly text: string; readonly known: readonly TextProblem[] }
  | { readonly state: "shown"; readonly text: string; readonly preview: PolicyPreviewView }
  | {
      readonly state: "failed"
      readonly text: string
      readonly problem: Problem
      readonly known: readonly TextProblem[]
    }

export type PreviewEvent =
  /** The text is this now; asked about at once where somebody wants to see it, else after a pause. */
  | { readonly type: "changed"; readonly text: string; readonly ask: "after a pause" | "at once" }
  | { readonly type: "paused" }
  | { readonly type: "answered"; readonly text: string; readonly reply: ServiceReply<PolicyPreviewView> }
  /** There is nothing to look at: the text is the one that is saved. */
  | { readonly type: "left" }
  /** The policy in force has changed, or the last try failed: the preview is asked for again. */
  | { readonly type: "outdated" }

export const idlePreview: PreviewState = { state: "idle" }

export function nextPreview(now: PreviewState, event: PreviewEvent): PreviewState {
  switch (event.type) {
    case "left":
      return idlePreview
    case "changed":
      return afterChange(now, event.text, event.ask)
    case "paused":
      return now.state === "typing" ? { ...now, state: "asking" } : now
    case "outdated":
      return now.state === "shown" || now.state === "failed" ? asking(now.text, now) : now
    case "answered":
      return now.state === "asking" && now.text === event.text ? answered(now, event.reply) : now
  }
}

function afterChange(now: PreviewState, text: string, ask: "after a pause" | "at once"): PreviewState {
  const isSame = now.state !== "idle" && now.text === text
  if (isSame && (now.state === "shown" || now.state === "asking")) return now
  if (ask === "at once") return asking(text, now)
  return isSame ? now : { state: "typing", text, known: problemsOf(now) }
}

function asking(text: string, now: PreviewState): PreviewState {
  return { state: "asking", text, known: problemsOf(now) }
}

function answered(
  now: Extract<PreviewState, { state: "asking" }>,
  reply: ServiceReply<PolicyPreviewView>,
): PreviewState {
  const { text, known } = now
  return reply.ok
    ? { state: "shown", text, preview: reply.value }
    : { state: "failed", text, problem: reply.problem, known }
}

/** The problems to show meanwhile: of this text, or of the last one that was looked at. */
export function problemsOf(now: PreviewState): readonly TextProblem[] {
  if (now.state === "idle") return []
  return now.state === "shown" ? now.preview.problems : now.known
}

export function previewOf(now: PreviewState, text: string): PolicyPreviewView | null {
  return now.state === "shown" && now.text === text ? now.preview : null
}
