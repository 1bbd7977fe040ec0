/** Where a client connects. A client of stdio starts the program itself. */
export type Endpoint =
  | { readonly transport: "http" | "sse"; readonly url: string }
  | {
      readonly transport: "stdio"
      readonly file: string
      readonly args: readonly string[]
      readonly env?: Readonly<Record<string, string>>
    }

export type ClientKind =
  /** A bare keep-alive connection and as little JSON as will do. */
  | "lean"
  /** The same, in the protocol's modern era: no session. */
  | "lean-modern"
  /** The client of the official SDK. */
  | "sdk"

export type ClientOptions = {
  readonly kind: ClientKind
  /** Declares that it can be asked something, and listens for it. */
  readonly elicitation: boolean
  /** Connections it may open at once; 4 unless said. */
  readonly sockets?: number
}

/** One client with its own conversation. */
export type BenchClient = {
  /** Calls the echo tool and throws unless what comes back is what was sent. */
  readonly echo: (message: string) => Promise<void>
  readonly listTools: () => Promise<readonly string[]>
  /** Of the program it started, if it started one. */
  readonly pid?: number
  readonly close: () => Promise<void>
}

/** Gateways that join servers put a name before the tool's. */
export function echoAmong(tools: readonly string[]): string {
  const found = tools.find((name) => name === "echo") ?? tools.find((name) => /(^|[^a-z])echo$/.test(name))
  if (found === undefined) throw new Error(`There is no echo tool among: ${tools.join(", ")}`)
  return found
}

export function checkEcho(sent: string, content: unknown): void {
  const first: unknown = Array.isArray(content) ? content[0] : undefined
  const text = typeof first === "object" && first !== null && "text" in first ? first.text : undefined
  if (text !== `Echo: ${sent}`) throw new Error(`Wrong answer to ${sent}: ${JSON.stringify(content)}`)
}
