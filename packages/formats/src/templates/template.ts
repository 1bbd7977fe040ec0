/**
 * A policy that comes with Byleave, to be used by name. `version` counts up whenever what it decides changes: a version that was
 * released decides the same for ever, and older ones stay, so `use: [read-only@1]` means one thing in every release.
 */
export type BuiltInTemplate = {
  readonly name: string
  readonly version: number
  /** `server`: it is about one server, which the configuration names. */
  readonly for: "everything" | "server"
  /** One sentence: what it decides. */
  readonly summary: string
  /** For a server's template: whose tools it knows. */
  readonly knows?: readonly string[]
  /** In the form of a template file. */
  readonly text: string
}
