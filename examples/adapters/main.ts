import { aiSdk } from "./ai-sdk.ts"
import { aiSdkPause } from "./ai-sdk-pause.ts"
import { mcpClient } from "./mcp-client.ts"

await aiSdk()
await aiSdkPause()
await mcpClient()
