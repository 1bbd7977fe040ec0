/** Rules as people write them for a program, by the program's name in the table of clients. */
export type TextCase = { readonly name: string; readonly text: string }

const permissions = [
  {
    name: "servers, tools and wildcards",
    permissions: {
      allow: ["mcp__files__read_file", "mcp__web", "mcp__notes__*"],
      ask: ["mcp__web__post"],
      deny: ["mcp__notes__delete-all", "mcp__files_x"],
    },
  },
  {
    name: "patterns",
    permissions: {
      allow: ["mcp__files__read_*", "mcp__*__get", "mcp__*", "mcp__fi*", "mcp__files_x__*_file", "mcp__web__get.page"],
      deny: ["mcp__files_x__w*"],
    },
  },
  {
    name: "what is no rule",
    permissions: {
      allow: [
        "files",
        "files(read_file)",
        "mcp__files__read_file(*)",
        "mcp__web(get)",
        "mcp__notes__",
        "mcp__Files__read_link",
      ],
    },
  },
  {
    name: "denials that reach tools of servers by a wildcard",
    permissions: { allow: ["mcp__files", "mcp__web"], deny: ["*__read_file", "mcp__web__put_page"] },
  },
  { name: "a denial of everything", permissions: { allow: ["mcp__files", "mcp__web"], deny: ["*"] } },
  {
    name: "names that are alike",
    permissions: {
      allow: ["mcp__files_x__list", "mcp__files__x_list", "mcp__web__get_page"],
      deny: ["mcp__files_*__list"],
    },
  },
]

const asJson = (
  cases: ReadonlyArray<{ readonly name: string; readonly [key: string]: unknown }>,
): readonly TextCase[] => cases.map(({ name, ...settings }) => ({ name, text: JSON.stringify(settings, null, 2) }))

export const textCases: Readonly<Record<string, readonly TextCase[]>> = {
  claude: asJson([
    ...permissions,
    { name: "a mode that asks less", permissions: { defaultMode: "acceptEdits", allow: ["mcp__web__get"] } },
  ]),
  qwen: asJson([
    ...permissions,
    {
      name: "trust and lists",
      mcpServers: {
        files: { trust: true, excludeTools: ["move_file", "save_file"] },
        files_x: { trust: true, includeTools: ["list", "read_*"] },
        web: { includeTools: ["get(x)", "post"] },
        notes: { trust: true },
      },
      permissions: { ask: ["mcp__notes__delete-all"], allow: ["mcp__web"] },
    },
    {
      name: "servers in use",
      mcp: { allowed: ["files"], excluded: ["notes"] },
      mcpServers: { files: { trust: true } },
    },
  ]),
  codex: [
    {
      name: "modes",
      text: `[mcp_servers.files]
default_tools_approval_mode = "prompt"

[mcp_servers.files.tools.read_file]
approval_mode = "approve"

[mcp_servers.files.tools.read_link]
approval_mode = "auto"

[mcp_servers.web]
default_tools_approval_mode = "approve"
disabled_tools = ["post"]

[mcp_servers.web.tools.get]
approval_mode = "prompt"

[mcp_servers.notes]
default_tools_approval_mode = "writes"
`,
    },
    {
      name: "tools that are offered",
      text: `[mcp_servers.files]
enabled_tools = ["read_file", "write_*", "move_file"]
disabled_tools = ["move_file"]
default_tools_approval_mode = "approve"

[mcp_servers.web]
enabled_tools = ["get_page"]
default_tools_approval_mode = "approve"

[mcp_servers.notes]
default_tools_approval_mode = "auto"

[mcp_servers.notes.tools."delete-all"]
approval_mode = "approve"

[mcp_servers.files_x]
enabled = false
default_tools_approval_mode = "approve"
`,
    },
  ],
  copilot: [
    {
      name: "servers and tools",
      text: "--allow-tool 'files(save_file)' --allow-tool=web --deny-tool='web(post)' --allow-tool 'notes(*)' --deny-tool=files_x",
    },
    {
      name: "patterns and lists",
      text: "--allow-tool 'files(w*)' 'files_x(save_file)' --allow-tool='web(post),notes(delete-all)' --deny-tool 'files_x(*)'",
    },
    {
      name: "tools that are there",
      text: "--available-tools 'files-save_file,web-post' notes --allow-tool files web notes --excluded-tools=files-move_file",
    },
    {
      name: "tools that are left out",
      text: "--excluded-tools 'files(save_file)' 'web(*)' notes files_x-save_file --allow-tool files files_x web notes",
    },
  ],
  gemini: [
    {
      name: "priorities",
      text: `[[rule]]
mcpName = "files"
toolName = "*"
decision = "ask_user"
priority = 100

[[rule]]
mcpName = "files"
toolName = ["read_file", "save_file"]
decision = "allow"
priority = 200

[[rule]]
mcpName = "files"
toolName = "save_file"
decision = "deny"
priority = 300

[[rule]]
toolName = "mcp_web_*"
decision = "allow"
priority = 10

[[rule]]
toolName = "mcp_web_post"
decision = "deny"
priority = 5
`,
    },
    {
      name: "names that are alike",
      text: `[[rule]]
toolName = "mcp_files_x_*"
decision = "allow"
priority = 100

[[rule]]
toolName = "mcp_web_get_page"
decision = "allow"
priority = 100

[[rule]]
toolName = ["search", "notes(search)", "notes__delete-all"]
decision = "allow"
priority = 100
`,
    },
    {
      name: "patterns",
      text: `[[rule]]
mcpName = "*"
toolName = "save_file"
decision = "allow"
priority = 100

[[rule]]
mcpName = "web"
toolName = "get*"
decision = "allow"
priority = 100

[[rule]]
mcpName = "notes"
toolName = "mcp_notes_search"
decision = "allow"
priority = 100

[[rule]]
toolName = "mcp_files_read_*"
decision = "allow"
priority = 100
`,
    },
    {
      name: "a rule for a whole server without a tool",
      text: `[[rule]]
mcpName = "files"
decision = "allow"
priority = 100

[[rule]]
mcpName = "web"
toolName = "get"
decision = "allow"
priority = 100
`,
    },
    { name: "a rule without a priority", text: `[[rule]]\nmcpName = "web"\ntoolName = "get"\ndecision = "allow"\n` },
    {
      name: "several servers in a rule",
      text: `[[rule]]\nmcpName = ["web", "notes"]\ntoolName = "*"\ndecision = "allow"\npriority = 1\n`,
    },
    {
      name: "everything, but for some",
      text: `[[rule]]
toolName = "mcp_*"
decision = "allow"
priority = 1

[[rule]]
mcpName = "files"
toolName = "*"
decision = "deny"
priority = 1

[[rule]]
toolName = "mcp_notes_delete-all"
argsPattern = "nothing like it"
decision = "deny"
priority = 2
`,
    },
    ...asJson([
      {
        name: "trust and lists",
        mcpServers: {
          files: { trust: true, excludeTools: ["move_file", "write_*"] },
          files_x: { trust: true, includeTools: ["list", "read_*"] },
          web: { includeTools: ["get(x)", "post"], trust: true },
          notes: {},
        },
      },
      {
        name: "servers in use",
        mcp: { allowed: ["files"], excluded: ["notes"] },
        mcpServers: { files: { trust: true } },
      },
    ]),
  ],
  opencode: asJson([
    {
      name: "a denial of a tool whose name is rewritten",
      permission: { "*": "ask", "web_*": "allow", web_put_page: "deny" },
    },
    {
      name: "the last decides",
      permission: { "*": "ask", "files_*": "allow", files_save_file: "deny", "web_get*": "allow", "notes_*": "allow" },
    },
    {
      name: "the last decides otherwise",
      permission: { files_save_file: "deny", "files_*": "allow", "*": "ask", web_get: "allow", "web_???": "allow" },
    },
    {
      name: "names that are alike",
      permission: { "*": "deny", "files_x_*": "allow", web_get_page: "allow", "web_get.page": "deny" },
    },
    {
      name: "switches",
      tools: { "notes_*": false, web_post: false, files_read_file: true },
      permission: { "files_*": "ask" },
    },
    { name: "one word", permission: "ask" },
    {
      name: "by what a tool is given",
      permission: { "*": "ask", web_get: { "*": "allow" }, "files_*": { "*": "ask", "a*": "allow" } },
    },
  ]),
  goose: [
    {
      name: "three lists",
      text: `user:
  always_allow: [files__read_file, web__get, files_x__list, notes__search]
  ask_before: [files__save_file, notes__search]
  never_allow: [web__post, web__get]
`,
    },
    {
      name: "patterns and servers",
      text: `user:
  always_allow: ["files__*", web, "notes", "web__get_page"]
  ask_before: []
  never_allow: [files_x]
`,
    },
  ],
}
