/** A tool of a recording server. */
export type CatalogueTool = {
  readonly server: string
  readonly name: string
  /** What it says of itself; by this it is known whatever a program makes of its name. */
  readonly description: string
  readonly readOnly: boolean
}

const names: Readonly<Record<string, readonly string[]>> = {
  files: ["read_file", "read_link", "save_file", "move_file", "x_list"],
  files_x: ["list", "read_file", "save_file"],
  web: ["get", "get_page", "get.page", "post", "put.page"],
  notes: ["search", "delete-all"],
}

/**
 * Every tool of every server. Some names are alike once a program has joined or rewritten them. None is that of a program's own tool that
 * writes, such as `write_file`: without a terminal, Gemini CLI leaves out every tool of that name.
 */
export const catalogue: readonly CatalogueTool[] = Object.entries(names).flatMap(([server, tools]) =>
  tools.map((name) => ({
    ...{ server, name, description: `Tool [${server} ${name}] of the table.` },
    readOnly: /^(read|get|list|search)/.test(name),
  })),
)

/** A policy in Byleave's words: the rules, one `effect: server(tool)` each, and the rest of `policy`. */
export type PolicyCase = {
  readonly name: string
  readonly policy: string
  /** Whether the names of tools are known to the export. */
  readonly known: boolean
}

const policies: ReadonlyArray<readonly [name: string, policy: string]> = [
  [
    "rules for some tools",
    `
policy:
  rules:
    - allow: "files(read_*)"
    - ask: "files(save_file)"
    - deny: "files(move_file)"
    - hide: "web(post)"
    - allow: "web(get)"
    - allow: "notes(*)"
    - ask: "notes(delete-all)"
`,
  ],
  [
    "everything else is denied",
    `
policy:
  default: deny
  rules:
    - allow: "files(read_file)"
    - ask: "web"
    - allow: "files_x(list)"
`,
  ],
  [
    "everything else runs",
    `
policy:
  default: allow
  rules:
    - deny: "files(move_file)"
    - ask: "files(save_file)"
    - hide: "notes"
    - deny: "web(get.page)"
`,
  ],
  [
    "conditions",
    `
policy:
  rules:
    - allow: "files(read_file)"
      when: { path: { glob: "*.md" } }
    - allow: "files(read_link)"
    - allow: "web(get)"
      principal: "bot"
    - allow: "web"
      access: read
    - allow: "notes"
    - deny: "notes(search)"
      when: { q: { equals: secret } }
`,
  ],
  [
    "patterns of servers",
    `
policy:
  rules:
    - allow: "*(get*)"
    - deny: "*(*_file)"
    - allow: "files_x"
    - deny: "files(x_list)"
`,
  ],
  [
    "names that are alike",
    `
policy:
  rules:
    - allow: "files(x_list)"
    - deny: "files_x(list)"
    - allow: "web(get_page)"
    - deny: "web(get.page)"
    - allow: "files_x(read_file)"
`,
  ],
  [
    "the only tools a server offers",
    `
servers:
  files: { command: "true", offer: ["read_*", "x_list"] }
  web: { command: "true" }
policy:
  rules:
    - allow: "files"
    - ask: "files(read_link)"
    - allow: "web(get)"
`,
  ],
]

export const policyCases: readonly PolicyCase[] = [true, false].flatMap((known) =>
  policies.map(([name, policy]) => ({ name: known ? name : `${name}; no names known`, policy, known })),
)
