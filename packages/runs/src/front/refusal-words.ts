import type { RunsRefusal } from "../runs.ts"

/** Why something cannot be done with a run, in a sentence. */
export function refusalWords(refusal: RunsRefusal): string {
  switch (refusal.code) {
    case "run-not-found":
      return "There is no such run."
    case "run-not-owned":
    case "run-under-way":
      return "The run is at work. Wait until it has ended or waits for approval."
    case "run-ended":
      return "The run was cancelled and cannot go on. Start another one."
    case "run-changed":
      return "The run went on in the meantime. Look at it again."
    case "state-used":
      return "This state was imported before. Each goes on once."
    case "run-has-nothing-to-do":
      return "The run has finished. Send a message to go on with it."
    case "run-has-no-requirement":
      return "The run does not wait for that."
    case "run-waits":
      return `The run waits for approval of ${refusal.missing.map(({ approval }) => approval).join(", ")}. Answer that first.`
    case "no-model":
    case "too-many-runs":
    case "run-too-large":
      return refusal.detail
  }
}
