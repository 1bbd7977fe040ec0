import { type ClientSetup, type SetupStep, tokenLine, type Way } from "./client-setups.ts"
import type { SetupFill } from "./setup-lines.ts"

/** Stands where the token will be until there is one. */
export const noTokenYet = "byl_agent_…"

/** Where the part with the token goes, and its text. */
export function tokenStep({ title, promptsForToken, id }: ClientSetup, secret: string) {
  if (promptsForToken === true) return { where: `When ${title} asks for the token`, what: "token", text: secret }
  const client = id === "other" ? "your client" : title
  return { where: `In the terminal where you start ${client}`, what: "command", text: tokenLine(secret) }
}

export function whereOf({ file, words }: SetupStep): string {
  return file ?? words
}

/** Everything to copy at once, each part below the place it belongs to. */
export function wholeText(setup: ClientSetup, way: Way, fill: SetupFill, secret: string): string {
  const steps = setup.steps[way].map((step) => ({ where: whereOf(step), text: step.text(fill) }))
  const parts = way === "address" ? [tokenStep(setup, secret), ...steps] : steps
  return parts.map(({ where, text }) => `# ${where}\n${text}\n`).join("\n")
}
