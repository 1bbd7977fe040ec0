import type { BuiltInTemplate } from "./template.ts"

type ServerTemplate = {
  readonly name: string
  readonly summary: string
  readonly knows: readonly string[]
  /** Tools that only read. They run, unless something in a call looks sensitive. */
  readonly reads: readonly string[]
  /** Tools whose work is hard to take back: each call asks. */
  readonly asksEachTime?: readonly string[]
  /** More rules, as they stand in the file. */
  readonly rules?: string
}

const secretsAsk = `    - ask: "this(*)"
      access: read
      when: { "*": { sensitive: true } }
      remember: never
      reason: Something in it looks like a secret, or leads to one.
`

const servers: readonly ServerTemplate[] = [
  {
    name: "filesystem",
    summary: "Reading and listing files runs, changing them asks, moving them asks every time.",
    knows: ["@modelcontextprotocol/server-filesystem"],
    reads: [
      "read_file read_text_file read_media_file read_multiple_files list_directory list_directory_with_sizes directory_tree",
      "search_files get_file_info list_allowed_directories",
    ],
    asksEachTime: ["move_file"],
  },
  {
    name: "memory",
    summary: "Reading what is remembered runs, remembering more asks, forgetting asks every time.",
    knows: ["@modelcontextprotocol/server-memory"],
    reads: ["read_graph search_nodes open_nodes"],
    asksEachTime: ["delete_entities delete_observations delete_relations"],
  },
  {
    name: "git",
    summary:
      "Status, history and differences run; staging, committing and branches ask; a reset or a checkout asks every time.",
    knows: ["mcp-server-git"],
    reads: ["git_status git_diff_unstaged git_diff_staged git_diff git_log git_show git_branch"],
    asksEachTime: ["git_reset git_checkout"],
  },
  {
    name: "github",
    summary:
      "Reading repositories, issues and pull requests runs; changes ask; merging, pushing, deleting and running workflows ask every time.",
    knows: ["@modelcontextprotocol/server-github", "GitHub's own server (github-mcp-server)"],
    reads: [
      "search_repositories search_code search_issues search_users search_pull_requests search_orgs get_me get_teams get_team_members",
      "get_file_contents get_commit list_commits list_branches list_tags get_tag list_releases get_latest_release get_release_by_tag",
      "issue_read get_issue get_issue_comments list_issues list_issue_types list_sub_issues get_label list_label",
      "pull_request_read get_pull_request list_pull_requests get_pull_request_files get_pull_request_status get_pull_request_comments",
      "get_pull_request_reviews get_pull_request_diff get_discussion get_discussion_comments list_discussions list_discussion_categories",
      "actions_get actions_list list_workflows list_workflow_runs get_workflow_run list_workflow_jobs",
    ],
    asksEachTime: [
      "merge_pull_request push_files delete_file create_repository fork_repository actions_run_trigger run_workflow",
      "delete_workflow_run_logs delete_repository",
    ],
  },
  {
    name: "fetch",
    summary:
      "Every address asks, since an address can carry data away; allow hosts by your own rules. Addresses of this machine and of private networks are denied.",
    knows: ["mcp-server-fetch"],
    reads: [],
    rules: `    - deny: "this(fetch)"
      when:
        url:
          host: [localhost, "*.localhost", "127.*", "10.*", "192.168.*", "169.254.*", "172.1[6-9].*", "172.2[0-9].*", "172.3[01].*", "0.0.0.0",
                 "*:*:*", "*.internal", "*.local"]
      reason: This address is on this machine or in a private network.
`,
  },
  {
    name: "database",
    summary: "Looking at tables runs; every query asks; a query that writes asks every time.",
    knows: ["@modelcontextprotocol/server-postgres", "mcp-server-sqlite", "mcp-server-sqlite-npx"],
    reads: ["list_tables describe_table"],
    asksEachTime: ["write_query create_table"],
  },
  {
    name: "slack",
    summary: "Reading channels, threads and people runs; posting, replying and reacting ask.",
    knows: ["@modelcontextprotocol/server-slack"],
    reads: [
      "slack_list_channels slack_get_channel_history slack_get_thread_replies slack_get_users slack_get_user_profile",
    ],
  },
  {
    name: "linear",
    summary: "Reading issues, projects, documents and people runs; changes ask; deleting and merging ask every time.",
    knows: ["Linear's own server (mcp.linear.app)", "linear-mcp-server"],
    reads: [
      "list_issues get_issue list_comments list_issue_statuses get_issue_status list_issue_labels list_projects get_project",
      "list_project_labels list_teams get_team list_users get_user list_cycles list_documents get_document search_documentation",
      "linear_search_issues linear_get_user_issues",
    ],
    asksEachTime: ["delete_attachment delete_comment delete_diff_comment delete_status_update merge_diff"],
  },
  {
    name: "notion",
    summary:
      "Reading and searching pages, blocks and data sources runs; changes ask; deleting and moving ask every time.",
    knows: ["@notionhq/notion-mcp-server"],
    reads: [
      "API-get-user API-get-users API-get-self API-post-search API-get-block-children API-retrieve-a-block API-retrieve-a-page",
      "API-retrieve-a-page-property API-retrieve-a-comment API-query-data-source API-retrieve-a-data-source",
      "API-list-data-source-templates API-retrieve-a-database API-retrieve-page-markdown",
    ],
    asksEachTime: ["API-delete-a-block API-move-page"],
  },
]

/** Templates about one server, which its rules call `this`. */
export const serverTemplates: readonly BuiltInTemplate[] = servers.map(({ name, summary, knows, ...rest }) => ({
  name,
  version: 1,
  for: "server",
  summary,
  knows,
  text: textOf(rest),
}))

function textOf({ reads, asksEachTime = [], rules = "" }: Pick<ServerTemplate, "reads" | "asksEachTime" | "rules">) {
  const entries = (names: readonly string[], write: (name: string) => string) => wordsOf(names).map(write).join("")
  const classify = entries(reads, (name) => `    - read: "this(${name})"\n`)
  const allowed = reads.length === 0 ? "" : `    - allow: "this(*)"\n      access: read\n${secretsAsk}`
  const asked = entries(asksEachTime, (name) => `    - ask: "this(${name})"\n      remember: never\n`)
  const decided = `${allowed}${asked}${rules}`
  return `version: 1
policy:
${classify === "" ? "" : `  classify:\n${classify}`}  rules:
${decided}`
}

function wordsOf(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(" "))
}
