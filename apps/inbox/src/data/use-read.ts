import type { AnswerOf, Client, InputOf, Problem, Routes } from "@byleave/api"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useClient } from "./client.tsx"
import { inOwnWords } from "./own-words.ts"
import { askedOf, type ReadName, shownBy } from "./shown-by.ts"

/** The state of a read that a part of the page shows: nothing yet, a problem, or the last answer. */
export type Read<Value> =
  | { readonly state: "loading" }
  | { readonly state: "problem"; readonly problem: Problem; readonly again: () => void }
  | { readonly state: "ready"; readonly value: Value; readonly again: () => void }

type Input<Name extends ReadName> = InputOf<Routes[Name]>

/** Reads by a route of the API, and again whenever an event says that what it shows has changed. */
export function useRead<Name extends ReadName>(
  name: Name,
  input?: Input<Name>,
  options: {
    readonly enabled?: boolean
    readonly everyMs?: number
    /** While another input is being read, what was read for the last one stays. */
    readonly keepsPrevious?: boolean
  } = {},
): Read<AnswerOf<Routes[Name]>> {
  const client = useClient()
  const query = useQuery({
    queryKey: [shownBy[name], name, input ?? null],
    queryFn: ({ signal }) => read(client, name, input, signal),
    enabled: options.enabled ?? true,
    ...(changesUntold.has(name) ? { staleTime: 0 } : {}),
    ...(options.keepsPrevious === true ? { placeholderData: keepPreviousData } : {}),
    ...(options.everyMs === undefined ? {} : { refetchInterval: options.everyMs }),
  })
  const again = (): void => void query.refetch()
  if (query.data !== undefined) return { state: "ready", value: query.data, again }
  if (query.error !== null) return { state: "problem", problem: problemOf(query.error), again }
  return { state: "loading" }
}

/** Calls that policy allows are told by no event, so what lists them is read anew whenever it is shown. */
const changesUntold: ReadonlySet<ReadName> = new Set(["listCalls", "insight", "listAudit", "observedCalls"])

/** Throws a `ReadError`, so that what was read before stays in place. */
export async function read<Name extends ReadName>(
  client: Client,
  name: Name,
  input: Input<Name> | undefined,
  signal: AbortSignal,
): Promise<AnswerOf<Routes[Name]>> {
  const reply = await askedOf(client, name)({ ...input, signal })
  if (!reply.ok) throw new ReadError(reply.problem)
  return inOwnWords(name, reply.value as AnswerOf<Routes[Name]>, Date.now())
}

export class ReadError extends Error {
  override readonly name = "ReadError"
  readonly problem: Problem
  constructor(problem: Problem) {
    super(problem.detail)
    this.problem = problem
  }
}

const gone: Problem = {
  type: "about:blank",
  title: "Service unreachable",
  status: 503,
  code: "unavailable",
  detail: "Byleave is unreachable. This page retries automatically.",
}

export function problemOf(error: Error): Problem {
  return error instanceof ReadError ? error.problem : gone
}
