import type { SessionView } from "@byleave/api"

/** What a mode means, after the name of a session. */
const sentences = {
  ask: "asks as usual",
  autonomous: "runs without asking (autonomous)",
  unattended: "is denied whatever would be asked (unattended)",
  observe: "runs without asking and is only recorded (observe)",
} as const satisfies Record<SessionView["mode"], string>

export function modeSentence(mode: SessionView["mode"]): string {
  return sentences[mode]
}
