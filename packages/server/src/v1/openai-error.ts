import { leavesBodyUnread, problemOf, type RefusedRequest, retryAfter } from "../refused.ts"

/** A refusal in the form of OpenAI's API, as its clients read it. */
export function openAiError(refused: RefusedRequest): Response {
  const { status, code, detail } = problemOf(refused)
  const type = status >= 500 ? "server_error" : "invalid_request_error"
  const openAiCode = status === 401 ? "invalid_api_key" : code.replaceAll("-", "_")
  const error = { message: detail, type, param: null, code: openAiCode }
  const headers = new Headers({ "content-type": "application/json" })
  if (status === 401) headers.set("www-authenticate", "Bearer")
  if (status === 429) headers.set("retry-after", retryAfter(code))
  if (leavesBodyUnread(code)) headers.set("connection", "close")
  return new Response(JSON.stringify({ error }), { status, headers })
}
