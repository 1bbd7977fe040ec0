/** Requests of MCP that were changed a little: one that a gate lets through is one that a server may read otherwise. */
import fc from "fast-check"

export type Mutated = {
  readonly era: "legacy" | "roots" | "modern"
  readonly body: string
  readonly headers: Record<string, string>
}

type Base = { readonly method: string; readonly params: Record<string, unknown> }

const bases: readonly Base[] = [
  { method: "tools/call", params: { name: "echo", arguments: { a: 1 } } },
  { method: "tools/call", params: { name: "danger", arguments: { a: 1 } } },
  { method: "tools/call", params: { name: "echo", arguments: {}, _meta: { progressToken: 1, "client/id": "x" } } },
  { method: "resources/read", params: { uri: "a://1" } },
  { method: "resources/read", params: { uri: "b://1" } },
  { method: "resources/subscribe", params: { uri: "b://1" } },
  { method: "prompts/get", params: { name: "plain", arguments: { x: "y" } } },
  { method: "prompts/get", params: { name: "danger" } },
  {
    method: "completion/complete",
    params: { ref: { type: "ref/prompt", name: "danger" }, argument: { name: "x", value: "y" } },
  },
  {
    method: "completion/complete",
    params: { ref: { type: "ref/resource", uri: "a://1" }, argument: { name: "x", value: "y" } },
  },
  { method: "tools/list", params: {} },
  { method: "resources/list", params: { cursor: "c" } },
  { method: "logging/setLevel", params: { level: "debug" } },
  { method: "tasks/get", params: { taskId: "t" } },
  { method: "vendor/named", params: { query: "q" } },
  { method: "vendor/other", params: { query: "q" } },
  { method: "notifications/roots/list_changed", params: {} },
  { method: "notifications/progress", params: { progressToken: 1, progress: 1 } },
  { method: "notifications/tools/list_changed", params: {} },
]

const odd = fc.constantFrom<unknown>("danger", "b://1", ["echo"], { name: "danger" }, 1, null, true, "", {
  toString: 1,
})
const respell = (key: string) =>
  fc.constantFrom(
    key,
    key.toUpperCase(),
    key[0]?.toUpperCase() + key.slice(1),
    ` ${key}`,
    `${key} `,
    `${key}\u200b`,
    `${key}\u0000`,
  )
const strange = fc.constantFrom(
  "Uri",
  "NAME",
  "Arguments",
  "x",
  "constructor",
  "task",
  "requestState",
  "inputResponses",
  "_meta",
  "Params",
)

/** Changes one or several things about the message; most stay requests that some reader would take. */
const change: fc.Arbitrary<(message: Record<string, unknown>) => Record<string, unknown>> = fc.oneof(
  fc.constant((message: Record<string, unknown>) => message),
  fc.constant(({ id: _, ...message }: Record<string, unknown>) => message),
  fc
    .constantFrom(null, 1.5, "", [], {}, "text")
    .map((id) => (message: Record<string, unknown>) => ({ ...message, id })),
  fc
    .constantFrom(" ", "\n", "/", "\u0000", "x")
    .map((end) => (message: Record<string, unknown>) => ({ ...message, method: `${String(message.method)}${end}` })),
  fc
    .constantFrom("tools/call", "shell/exec", "Tools/Call", "notifications/cancelled", "initialize")
    .map((method) => (message: Record<string, unknown>) => ({ ...message, method })),
  fc.tuple(strange, odd).map(([key, value]) => (message: Record<string, unknown>) => ({
    ...message,
    params: { ...(message.params as object), [key]: value },
  })),
  fc.tuple(strange, odd).map(([key, value]) => (message: Record<string, unknown>) => ({ ...message, [key]: value })),
  fc.tuple(fc.nat(), odd).map(([at, value]) => (message: Record<string, unknown>) => {
    const params = { ...(message.params as Record<string, unknown>) }
    const keys = Object.keys(params)
    const key = keys[at % Math.max(1, keys.length)]
    return key === undefined ? message : { ...message, params: { ...params, [key]: value } }
  }),
  fc.tuple(fc.nat(), respell("k"), fc.nat(6)).map(([at, , how]) => (message: Record<string, unknown>) => {
    const entries = Object.entries(message.params as Record<string, unknown>)
    const index = at % Math.max(1, entries.length)
    const ways = (key: string) => [
      key.toUpperCase(),
      `${key[0]?.toUpperCase()}${key.slice(1)}`,
      ` ${key}`,
      `${key} `,
      `${key}\u200b`,
      `${key}\u0000`,
      key,
    ]
    return {
      ...message,
      params: Object.fromEntries(
        entries.map(([key, value], n) => [n === index ? (ways(key)[how] ?? key) : key, value]),
      ),
    }
  }),
)

/** Written by hand where JSON.stringify cannot: a key twice, or once more in another case. */
const writeOdd = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.replace('"params":{', '"params":{"name":"danger",'),
  (text: string) => text.replace('"params":{', '"params":{"Name":"danger","URI":"b://1",'),
  (text: string) => text.replace('"method":', '"Method":"tools/call","method":'),
  (text: string) => text.replace('"name"', '"n\\u0061me"'),
  (text: string) => `[${text}]`,
  (text: string) => `[${text},${text}]`,
  (text: string) => text.replace('"jsonrpc":"2.0",', ""),
)

const envelope = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "fuzz", version: "1" },
}

export const mutatedRequest: fc.Arbitrary<Mutated> = fc
  .record({
    base: fc.constantFrom(...bases),
    id: fc.integer({ min: 1, max: 1_000_000_000 }),
    changes: fc.array(change, { minLength: 0, maxLength: 2 }),
    write: writeOdd,
    era: fc.constantFrom("legacy" as const, "roots" as const, "modern" as const),
    agree: fc.boolean(),
    added: fc.constantFrom<Record<string, string>>(
      {},
      { "mcp-param-path": "/etc/passwd" },
      { "mcp-param-region": "elsewhere" },
      { "x-tenant": "other", cookie: "session=1", "x-forwarded-user": "root" },
    ),
  })
  .map(({ base, id, changes, write, era, agree, added }) => {
    const meta = era === "modern" ? { _meta: { ...(base.params._meta as object), ...envelope } } : {}
    const first: Record<string, unknown> = {
      jsonrpc: "2.0",
      id,
      method: base.method,
      params: { ...base.params, ...meta },
    }
    const message = changes.reduce((before, apply) => apply(before), first)
    const params = (message.params ?? {}) as Record<string, unknown>
    const name = params.name ?? params.uri ?? params.taskId
    const headers: Record<string, string> =
      era === "modern"
        ? {
            "mcp-protocol-version": "2026-07-28",
            "mcp-method": headerText(agree ? message.method : base.method),
            ...(name === undefined ? {} : { "mcp-name": headerText(agree ? name : base.params.name) }),
          }
        : {}
    return { era, body: write(JSON.stringify(message)), headers: { ...added, ...headers } }
  })

function headerText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value ?? "")
  return /^[\x21-\x7e]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString("base64")}?=`
}
