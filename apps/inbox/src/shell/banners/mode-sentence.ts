import type { SessionView } from "@byleave/api"
import { type AutonomyKind, autonomyKinds, autonomyOf, policyMode } from "@byleave/core"

/** What a mode means, after the name of a session. */
const sentences = {
  ask: "needs approval as usual",
  autonomous: "runs without approval (autonomous)",
  unattended: "denies everything that needs approval (deny while away)",
  observe: "runs without approval and is only recorded (observe)",
} as const

export const kindNames = { tools: "tools", paths: "paths", urls: "URLs" } as const satisfies Record<
  AutonomyKind,
  string
>

export function modeSentence(mode: SessionView["mode"]): string {
  const kinds = autonomyOf(mode)
  if (kinds.length === 0 || kinds.length === autonomyKinds.length)
    return sentences[policyMode(mode) as keyof typeof sentences]
  return `runs without approval for ${kinds.map((kind) => kindNames[kind]).join(" and ")} (autonomous in part)`
}
