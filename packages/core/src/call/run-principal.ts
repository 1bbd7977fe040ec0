/** Calls of runs are made by these principals, which no token can have. A person may answer the runs they start; the owner of a runner token may not. */
export const runPrincipals = ["run", "chat"] as const
export type RunPrincipal = (typeof runPrincipals)[number]

/** The credential that started a run: a person's, or a program's runner token. */
export type RunStarter = {
  readonly kind: "reviewer" | "runner"
  readonly id: string
  /** Tells the runner token from others that have had its name. Absent: it was not kept. */
  readonly token?: string
  /** The person that the runner token belonged to when the run was started. */
  readonly owner?: string
}

/** The starter as one text, whichever token of its name it is. */
export function starterName({ kind, id }: Pick<RunStarter, "kind" | "id">): string {
  return `${kind} ${id}`
}

/** The token of a run's starter as `starterName` names it; null: a person's, or not known. */
export function runnerOf(starter: string | undefined): string | null {
  return starter?.startsWith(runnerPrefix) === true ? starter.slice(runnerPrefix.length) : null
}

const runnerPrefix = starterName({ kind: "runner", id: "" })

export function isRunPrincipal(principal: string): principal is RunPrincipal {
  return runPrincipals.some((reserved) => reserved === principal)
}
