/** A client of the legacy era, by hand: it can go away in the middle of a call and come back to the same session. */
export type LegacyAgent = {
  /** The text of the reply, whatever it is; rejects when the signal breaks the connection. */
  readonly call: (name: string, args: object, signal?: AbortSignal) => Promise<string>
}

export async function legacyAgent(address: string, name = "test"): Promise<LegacyAgent> {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
  const version = "2025-11-25"
  const post = (message: object, more: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Response> =>
    fetch(address, {
      method: "POST",
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
      ...(signal === undefined ? {} : { signal }),
    })
  const clientInfo = { name, version: "1" }
  const params = { protocolVersion: version, capabilities: {}, clientInfo }
  const hello = await post({ id: 0, method: "initialize", params }, {})
  await hello.text()
  const session = { "mcp-session-id": hello.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": version }
  await (await post({ method: "notifications/initialized" }, session)).text()
  let id = 0
  return {
    call: async (name, args, signal) => {
      id += 1
      const asked = { id, method: "tools/call", params: { name, arguments: args } }
      return (await post(asked, session, signal)).text()
    },
  }
}
