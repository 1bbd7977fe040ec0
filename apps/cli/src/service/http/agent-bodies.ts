import { setImmediate as nextTurn } from "node:timers/promises"
import { type BodyBudget, createBodyBudget, createBodyTurns } from "@byleave/core"
import { bodyLimitsOf, type Settings } from "../config/settings.ts"

/** Counts the bodies that agents and programs have open, and lets large ones be worked on one after the other. */
export function createAgentBodies(settings: () => Settings): BodyBudget {
  return createBodyBudget(() => bodyLimitsOf(settings()), createBodyTurns(nextTurn))
}
