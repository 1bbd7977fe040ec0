/**
 * The definitions that waiting calls are judged by once more when people have answered. They are in memory, while what the calls were asked with is in
 * the store.
 *
 * I1. A definition counts among what its credential has open as long as a call of it waits or runs, and once however many do.
 */
import type { BodyBudget, ListedTool, ToolDefinition } from "@byleave/core"
import type { OneProgram } from "../guard/shared-room.ts"
import { definitionSize } from "./definition-size.ts"
import { keptShare } from "./kept-body.ts"

export type HeldDefinitions = {
  /** Until the returned function is called. Null: the credential has as much open as it may, and nothing was counted. */
  readonly hold: (sender: OneProgram, listed: ListedTool) => (() => void) | null
}

type Held = { users: number; readonly release: () => void }

export function createHeldDefinitions(bodies: BodyBudget): HeldDefinitions {
  const held = new Map<ToolDefinition, Held>()
  const count = (sender: OneProgram, definition: ToolDefinition): Held | null => {
    const { grow, release } = keptShare(bodies, sender)
    return grow(definitionSize(definition).bytes) === null ? { users: 0, release } : null
  }
  const holdOne = (sender: OneProgram, definition: ToolDefinition): (() => void) | null => {
    const one = held.get(definition) ?? count(sender, definition)
    if (one === null) return null
    one.users += 1
    held.set(definition, one)
    return () => {
      one.users -= 1
      if (one.users > 0) return
      held.delete(definition)
      one.release()
    }
  }
  return {
    hold: (sender, { definition, program }) => {
      const releases: Array<() => void> = []
      const releaseAll = (): void => {
        for (const release of releases.splice(0)) release()
      }
      for (const one of [definition, program]) {
        if (one === undefined) continue
        const release = holdOne(sender, one)
        if (release === null) {
          releaseAll()
          return null
        }
        releases.push(release)
      }
      return releaseAll
    },
  }
}
