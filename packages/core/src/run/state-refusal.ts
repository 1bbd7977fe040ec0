/** Why a carried state of a run is not taken. */
export type StateRefusal = {
  readonly code:
    | "state-malformed"
    | "state-tampered"
    | "state-foreign"
    | "state-used"
    | "state-not-exported"
    | "state-too-old"
    | "state-too-new"
    | "state-too-large"
    | "state-bomb"
  readonly detail: string
}
