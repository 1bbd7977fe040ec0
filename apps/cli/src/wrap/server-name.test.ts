import { expect, it } from "vitest"
import { serverName } from "./server-name.ts"

it.each([
  { line: ["npx", "-y", "@modelcontextprotocol/server-filesystem", "./x"], name: "filesystem" },
  { line: ["npx", "-y", "@modelcontextprotocol/server-memory@2026.8.31"], name: "memory" },
  { line: ["node", "/opt/tools/github-mcp-server.js"], name: "github" },
  { line: ["uvx", "mcp-server-git"], name: "git" },
  { line: ["uv", "run", "weather.py"], name: "weather" },
  { line: ["/usr/local/bin/my__server"], name: "my_server" },
  { line: ["byleave"], name: "server" },
  { line: ["npx", "mcp-server-by1eave"], name: "server" },
  { line: ["npx", "byleave-2"], name: "byleave-2" },
])("$line.0 … is named $name", ({ line: [command = "", ...args], name }) => {
  expect(serverName(command, args)).toBe(name)
})
