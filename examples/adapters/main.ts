import { aiSdk } from "./ai-sdk.ts"
import { mcpClient } from "./mcp-client.ts"

await aiSdk()
await mcpClient()
