/** On every answer. The page brings its own policy of what may run; these are for responses that are opened directly. */
const always: ReadonlyArray<readonly [string, string]> = [
  ["content-security-policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"],
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
  ["referrer-policy", "no-referrer"],
  ["cross-origin-resource-policy", "same-origin"],
  ["cross-origin-opener-policy", "same-origin"],
  ["cache-control", "no-store"],
]

/** `body`: as it goes out. */
export function secured(response: Response, body: Response["body"] = response.body): Response {
  const headers = new Headers(response.headers)
  for (const [name, value] of always) headers.set(name, value)
  return new Response(body, { status: response.status, headers })
}
