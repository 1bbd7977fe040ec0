/** A typed no, told to the caller. */
export type Refusal = {
  readonly by: "policy" | "reviewer" | "timeout" | "limit"
  readonly code: RefusalCode
  readonly reason: string
}

export type RefusalCode =
  | "hidden"
  | "denied-by-rule"
  | "denied-by-grant"
  | "definition-rejected"
  | "other-program"
  | "unattended"
  | "denied-by-reviewer"
  | "expired"
  | "cancelled"
  | "superseded"
  | "too-many-waiting"
  | "too-much-held"
  | "denied-too-often"
  | "store-unavailable"
