/** A refusal of the API, in the form that clients of OpenAI's API parse. */
export class WireError extends Error {
  override readonly name = "WireError"
  readonly status: number
  readonly code: string | null
  readonly param: string | null
  /** In seconds. */
  readonly retryAfter: number | null

  constructor(status: number, message: string, { code = null, param = null, retryAfter = null }: WireErrorFacts = {}) {
    super(message)
    this.status = status
    this.code = code
    this.param = param
    this.retryAfter = retryAfter
  }
}

type WireErrorFacts = {
  readonly code?: string | null
  readonly param?: string | null
  readonly retryAfter?: number | null
}

export function errorResponse({ status, message, code, param, retryAfter }: WireError): Response {
  const type = status >= 500 ? "server_error" : "invalid_request_error"
  const headers = retryAfter === null ? {} : { "retry-after": String(retryAfter) }
  return Response.json({ error: { message, type, param, code } }, { status, headers })
}

export const wireErrors = {
  invalid: (message: string, param: string | null = null) => new WireError(400, message, { param }),
  noResponse: (id: string) => new WireError(404, `Response with id '${id}' not found.`, { param: "response_id" }),
  noPrevious: (id: string) =>
    new WireError(400, `Previous response with id '${id}' not found.`, {
      code: "previous_response_not_found",
      param: "previous_response_id",
    }),
  namedTwice: (id: string) =>
    new WireError(400, `Duplicate item found with id ${id}. Refer to each item once.`, { param: "input" }),
  tooMuchNamed: (most: number) =>
    new WireError(
      400,
      `The items that the input refers to have more than ${most / 1024 / 1024} MB together. Refer to fewer.`,
      {
        code: "context_length_exceeded",
        param: "input",
      },
    ),
  tooManyArguments: (most: number) =>
    new WireError(
      400,
      `The arguments of the calls in the input have more than ${most} values together, objects and lists within each other counted. Send fewer of the earlier calls, or follow up with previous_response_id, which brings them by itself.`,
      { code: "context_length_exceeded", param: "input" },
    ),
  answeredTwice: (request: string) =>
    new WireError(400, `The MCP approval request ${request} has two approval responses. Answer each request once.`, {
      param: "input",
    }),
  noItem: (id: string) => new WireError(404, `Item with id '${id}' not found.`, { param: "input" }),
  noModel: (name: string, known: readonly string[]) =>
    new WireError(400, known.length === 0 ? noModels : unknownModel(name, known), {
      code: "model_not_found",
      param: "model",
    }),
  unanswered: (requests: readonly string[]) =>
    new WireError(400, `The following MCP approval requests do not have an approval: ${requests.join(", ")}`, {
      param: "input",
    }),
  stray: (requests: readonly string[]) =>
    new WireError(
      400,
      `The following MCP approval requests have approval responses but weren't passed as input: ${requests.join(", ")}`,
      { param: "input" },
    ),
  answerFirst: (requests: readonly string[]) =>
    new WireError(
      400,
      `Answer these MCP approval requests first, and say what else there is to say in the response after: ${requests.join(", ")}`,
      { param: "input" },
    ),
  tooManyReads: () =>
    new WireError(
      429,
      "Too many requests of yours that read large responses are waiting here. Nothing was done. Try again once some of them are answered.",
      { code: "rate_limit_exceeded", retryAfter: 5 },
    ),
  noOutput: (call: string) => new WireError(400, `No tool output found for function call ${call}.`, { param: "input" }),
  strayOutput: (call: string) =>
    new WireError(400, `No tool call found for function call output with call_id ${call}.`, { param: "input" }),
  /** Clients repeat a request that was answered with this status, which attaches it again. */
  stillWaiting: (response: string) =>
    new WireError(
      408,
      `A reviewer has not decided yet. Repeat this request unchanged to go on waiting, or fetch ${response} later. With stream or background it is not cut off.`,
      { code: "approval_pending" },
    ),
  underWay: (id: string) =>
    new WireError(409, `The response ${id} is still in progress. Follow it up once it is complete.`, {
      code: "response_in_progress",
      param: "previous_response_id",
    }),
} as const

const noModels = "No model is configured. Add one under models: in byleave.yaml."

function unknownModel(name: string, known: readonly string[]): string {
  return `The requested model '${name}' does not exist. Configured models: ${known.join(", ")}.`
}
