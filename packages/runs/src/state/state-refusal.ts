import type { StateRefusal } from "@byleave/core"

const words = {
  "state-malformed": "This is not the state of an agent run.",
  "state-tampered": "This state was changed after it was exported.",
  "state-foreign": "This state was exported with another key, or for somebody else.",
  "state-used": "This state was imported already. Each export is good for one import.",
  "state-not-exported":
    "This is the session of a run that was not exported. Export the run where it is, and import that text.",
  "state-too-old": "This state was exported by an older Byleave, whose states cannot be read any more.",
  "state-too-new": "This state was exported by a newer Byleave. Update this one, then import it again.",
  "state-too-large": "This state is larger than a run may be.",
  "state-bomb": "This state unpacks to more than a run may be.",
} as const satisfies Record<StateRefusal["code"], string>

export function stateRefusal(code: StateRefusal["code"], more = ""): StateRefusal {
  return { code, detail: more === "" ? words[code] : `${words[code]} ${more}` }
}
