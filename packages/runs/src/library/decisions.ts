import { asObject, type JsonValue, listAt, memberAt, objectAt, type Requirement, textAt } from "@byleave/core"

/** A decision about a call that a run waits for, as it travels in a message. */
export type RequirementChoice = {
  /** The requirement's id; the tool call's id does as well. */
  readonly requirement_id: string
  readonly execute: boolean
  readonly rejection_reason?: string
}

/** Decisions as they come, `[{requirement_id | id, execute, rejection_reason?}]`; null: they are none. An entry without `execute` decides nothing. */
export function readDecisions(value: JsonValue | undefined): readonly RequirementChoice[] | null {
  if (!Array.isArray(value)) return null
  const decisions: RequirementChoice[] = []
  for (const item of value) {
    const entry = asObject(item)
    const id = textAt(entry, "requirement_id") ?? textAt(entry, "id")
    if (id === undefined) return null
    const execute = memberAt(entry, "execute")
    if (execute === undefined || execute === null) continue
    if (typeof execute !== "boolean") return null
    const reason = textAt(entry, "rejection_reason")
    decisions.push({ requirement_id: id, execute, ...(reason === undefined ? {} : { rejection_reason: reason }) })
  }
  return decisions
}

/** The decisions of the latest message, from `data.tool_calls`; none where it has none. */
export function decisionsOfLatest(messages: readonly JsonValue[]): readonly RequirementChoice[] {
  const data = objectAt(asObject(messages.at(-1)), "data")
  return readDecisions(listAt(data, "tool_calls") as JsonValue | undefined) ?? []
}

export function isAbout({ approval, toolCall }: Requirement, id: string): boolean {
  return approval === id || toolCall === id
}
