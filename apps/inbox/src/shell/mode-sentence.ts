import type { SessionView } from "@byleave/api"

/** What a mode means, after the name of a session. */
const sentences = {
  ask: "needs approval as usual",
  autonomous: "runs without approval (autonomous)",
  unattended: "denies everything that needs approval (deny while away)",
  observe: "runs without approval and is only recorded (observe)",
} as const satisfies Record<SessionView["mode"], string>

export function modeSentence(mode: SessionView["mode"]): string {
  return sentences[mode]
}
