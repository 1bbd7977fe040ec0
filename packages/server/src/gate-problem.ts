const problems = {
  "wrong-credential": [401, "This door needs a gate credential. Use the token of `byleave tokens add --gate`."],
  "not-yours": [403, "The service reaches a server of this name itself. Give yours another name."],
  "too-large": [413, "The body is larger than what is taken here. Send less."],
  "bad-body": [400, "The body is not what this door takes."],
  "not-found": [404, "There is nothing of that name for this credential."],
} as const satisfies Record<string, readonly [number, string]>

/** A refusal of the gate's doors, as problem+json. */
export function problem(code: keyof typeof problems, detail?: string): Response {
  const [status, title] = problems[code]
  return new Response(JSON.stringify({ type: "about:blank", status, code, title, detail: detail ?? title }), {
    status,
    headers: { "content-type": "application/problem+json" },
  })
}
