/**
 * What each oddity of a request to `/mcp` must be answered with, written down apart from the code that does it. Of several oddities the one that
 * is checked first decides; the order of this table is that order.
 */

/** Values that stand for what only a running service has. */
export type Words = {
  readonly host: string
  readonly agent: string
  readonly gate: string
  readonly conversation: string
  readonly othersConversation: string
  readonly otherPath: string
}

export type Case = {
  readonly method: string
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string | Buffer
}

/** One way a request can be odd, and the status it gets; `good`: it is not. */
type Oddity = { readonly status: number; readonly apply: (request: Case, words: Words) => void }
type Dimension = { readonly name: string; readonly odd: readonly Oddity[] }

const header =
  (name: string, value: string | ((words: Words) => string) | null): Oddity["apply"] =>
  (request, words) => {
    if (value === null) delete request.headers[name]
    else request.headers[name] = typeof value === "string" ? value : value(words)
  }
const body =
  (text: string | Buffer): Oddity["apply"] =>
  (request) => {
    Object.assign(request, { body: text })
  }
const all = (status: number, applies: ReadonlyArray<Oddity["apply"]>): readonly Oddity[] =>
  applies.map((apply) => ({ status, apply }))

const call = (args: string) =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"write_file","arguments":${args}}}`

const notUnderstood = [
  "",
  " ",
  "{",
  "nul",
  "[",
  '{"jsonrpc":"2.0","id":1,"method":"ping"',
  '{"jsonrpc":"2.0","id":1,"method":"ping"}}',
  '{"jsonrpc":"2.0","id":1,"method":"ping",}',
  "{'jsonrpc':'2.0'}",
  '\ufeff{"jsonrpc":"2.0","id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","id":01,"method":"ping"}',
  '{"jsonrpc":"2.0","id":NaN,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1,"method":"pi\u0001ng"}',
  // Two readers would see two calls.
  call('{"path":"a","path":"b"}'),
  call('{"path":"a","PATH":"b"}'),
  call('{"caf\u00e9":1,"cafe\u0301":2}'),
  call('{"a":{"x":1,"X":2}}'),
  '{"jsonrpc":"2.0","id":1,"method":"ping","METHOD":"tools/call"}',
  '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
  call('{"path":"\\ud800"}'),
  call('{"\\udfff":1}'),
  call(`${"[".repeat(5_000)}${"]".repeat(5_000)}`.replace(/^/, '{"a":').concat("}")),
  `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(300)}1${"}".repeat(300)}}`,
]

const notRpc = [
  "null",
  "1",
  '"ping"',
  "{}",
  '{"id":1,"method":"ping"}',
  '{"jsonrpc":"1.0","id":1,"method":"ping"}',
  '{"jsonrpc":2.0,"id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","id":null,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
  '{"jsonrpc":"2.0","id":{},"method":"ping"}',
  '{"jsonrpc":"2.0","id":1,"method":7}',
  '{"jsonrpc":"2.0","id":1,"method":"ping","params":"x"}',
  '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}',
  '{"jsonrpc":"2.0","id":1}',
]

const invalidBytes = [
  Buffer.from([0x7b, 0xff, 0x7d]),
  Buffer.from([0xc3, 0x28]),
  Buffer.from('"\xed\xa0\x80"', "latin1"),
]

/** In the order the service looks. */
export const dimensions: readonly Dimension[] = [
  {
    name: "host",
    odd: all(403, [
      header("host", "evil.example"),
      header("host", "evil.example:7337"),
      header("host", "127.0.0.1:1"),
      header("host", ({ host }) => `${host}.evil.example`),
      header("host", ({ host }) => `user@${host}`),
    ]),
  },
  {
    name: "origin",
    odd: all(403, [
      header("origin", "http://evil.example"),
      header("origin", "null"),
      header("origin", ({ host }) => `https://${host}`),
      header("origin", "http://127.0.0.1:1"),
      header("origin", "file://"),
      header("origin", ""),
    ]),
  },
  {
    name: "credential",
    odd: all(401, [
      header("authorization", null),
      header("authorization", ""),
      header("authorization", "Bearer"),
      header("authorization", "Bearer nobody"),
      header("authorization", "Bearer byl_agent_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
      header("authorization", ({ gate }) => `Bearer ${gate}`),
      header("authorization", ({ agent }) => `Basic ${Buffer.from(`agent:${agent}`).toString("base64")}`),
      header("authorization", ({ agent }) => `Bearer ${agent}x`),
      header("authorization", ({ agent }) => `Bearer ${agent.slice(0, -1)}`),
    ]),
  },
  {
    name: "path",
    odd: all(
      404,
      ["/mcp/nowhere", "/mcp/files/more", "/mcp/constructor", "/mcp/__proto__", "/mcp/%2e%2e", "/mcp/byleave"].map(
        (path): Oddity["apply"] =>
          (request) => {
            Object.assign(request, { path })
          },
      ),
    ),
  },
  {
    name: "method",
    odd: all(
      405,
      ["PUT", "PATCH", "OPTIONS"].map((method): Oddity["apply"] => (request) => {
        Object.assign(request, { method })
      }),
    ),
  },
  {
    name: "content type",
    odd: all(415, [
      header("content-type", null),
      header("content-type", "text/plain"),
      header("content-type", "application/x-www-form-urlencoded"),
      header("content-type", "multipart/form-data; boundary=x"),
      header("content-type", "application/jsonx"),
      header("content-encoding", "gzip"),
    ]),
  },
  { name: "bytes", odd: all(400, invalidBytes.map(body)) },
  { name: "text", odd: all(400, [...notUnderstood, ...notRpc].map(body)) },
  {
    name: "accept",
    odd: all(406, [
      header("accept", null),
      header("accept", "text/html"),
      header("accept", "application/json"),
      header("accept", "text/event-stream"),
    ]),
  },
  {
    name: "version",
    odd: all(400, [header("mcp-protocol-version", "1999-01-01"), header("mcp-protocol-version", "latest")]),
  },
  {
    name: "session",
    odd: [
      ...all(400, [header("mcp-session-id", null)]),
      ...all(404, [
        header("mcp-session-id", "nobody"),
        header("mcp-session-id", ({ othersConversation }) => othersConversation),
        header("mcp-session-id", ({ otherPath }) => otherPath),
        header("mcp-session-id", ({ conversation }) => conversation.toUpperCase()),
      ]),
    ],
  },
  { name: "session's name", odd: all(403, [header("byleave-session", "mine"), header("byleave-session", "admin")]) },
]

const good: ReadonlyArray<readonly [text: string, status: number]> = [
  ['{"jsonrpc":"2.0","id":1,"method":"ping"}', 200],
  ['{"jsonrpc":"2.0","id":"a","method":"tools/list"}', 200],
  ['{"jsonrpc":"2.0","id":2,"method":"no/such/method","params":{}}', 200],
  ['{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"constructor","arguments":{}}}', 200],
  ['{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"__proto__"}}', 200],
  ['{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":7}}', 200],
  [
    '{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"move_file","arguments":{"source":"a","destination":"b"}}}',
    200,
  ],
  ['{"jsonrpc":"2.0","id":8,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}', 200],
  ['{"jsonrpc":"2.0","id":9,"method":"tasks/get","params":{"taskId":"someone else\'s"}}', 200],
  ['{"jsonrpc":"2.0","method":"notifications/initialized"}', 202],
  ['{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}', 202],
  ['{"jsonrpc":"2.0","id":77,"result":{}}', 202],
  ['{"jsonrpc":"2.0","id":77,"error":{"code":-1,"message":"no"}}', 202],
]

export type Expected = { readonly request: Case; readonly status: number; readonly odd: readonly string[] }

/** A request with oddities chosen by `pick`, and the status the first of them gets. */
export function makeCase(words: Words, pick: (count: number) => number): Expected {
  const [text, fine] = good[pick(good.length)] ?? ["", 0]
  const request: Case = {
    method: "POST",
    path: "/mcp/files",
    headers: {
      host: words.host,
      authorization: `Bearer ${words.agent}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-session-id": words.conversation,
    },
    body: text,
  }
  const odd: string[] = []
  let status = fine
  for (const dimension of dimensions) {
    if (pick(8) !== 0) continue
    const oddity = dimension.odd[pick(dimension.odd.length)]
    if (oddity === undefined) continue
    // A response or notification names no session: nothing of it can be refused for that.
    const meansNothing = dimension.name === "session's name" && !("method" in JSON.parse(text))
    if (meansNothing) continue
    oddity.apply(request, words)
    if (odd.length === 0) status = oddity.status
    odd.push(dimension.name)
  }
  return { request, status, odd }
}
