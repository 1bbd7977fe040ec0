/** A conversation as the model sees it: what tools it is offered, and what its calls came to, oldest first. */
export type Conversation = {
  readonly tools: readonly string[]
  /** What each offered tool says of itself, by its name. */
  readonly descriptions: ReadonlyMap<string, string>
  readonly results: readonly CallResult[]
}

export type CallResult = { readonly tool: string; readonly text: string }

/** The model's next words, or its next call. */
export type Reply =
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "call"
      readonly id: string
      readonly tool: string
      readonly args: Readonly<Record<string, string>>
    }

/** How one model service is spoken to. Bodies are read leniently: what a client leaves out is empty. */
export type Dialect = {
  /** Whether a request's path belongs to it. */
  readonly speaks: (path: string) => boolean
  readonly read: (body: Json) => Conversation
  /** The events of a streamed answer, one per line of `data:`; the single value where nothing is streamed. */
  readonly write: (reply: Reply, model: string) => Written
  readonly isStreamed: (path: string, body: Json) => boolean
}

export type Written = { readonly events: readonly Json[]; readonly whole: Json; readonly end?: string }

/** JSON from a client, looked into without trust. */
export type Json = { readonly [name: string]: unknown }

export function object(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

export function list(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.map(object) : []
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? "")
}

/** The tools that a request declares, each with its name and description at its top. */
export function declaredTools(declared: readonly Json[]): Pick<Conversation, "tools" | "descriptions"> {
  return {
    tools: declared.map(({ name }) => text(name)),
    descriptions: new Map(declared.map(({ name, description }) => [text(name), text(description)])),
  }
}

/** The name of the tool that each call, by its id, was about. */
export function toolsById(calls: ReadonlyArray<readonly [id: unknown, tool: unknown]>): (id: unknown) => string {
  const known = new Map(calls)
  return (id) => text(known.get(id))
}
