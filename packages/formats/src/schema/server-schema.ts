import { count, duration, listOf, mapOf, object, plain, type SchemaNode, size, text, words } from "./schema-node.ts"

export const toolListSchema = object("How much of this server's tool list is read, and how long it is used.", {
  pages: count(1, "The most pages."),
  tools: count(1, "The most tools."),
  bytes: size("The most bytes."),
  within: duration("The longest time."),
  goodFor: duration("How long it is used where nothing tells that another server answers by now. Default: 30s."),
})

const shared = {
  trust: words(
    ["none", "annotations"],
    "`annotations`: believe this server when it says that a tool only reads. Default: `none`.",
  ),
  pin: words(
    ["full", "schema", "off"],
    "Which changes of a tool's definition wait until a reviewer accepts them. `full`: any. `schema`: all but descriptions. `off`: none. Default: `full`.",
  ),
  newTools: words(
    ["hold", "offer"],
    "`hold`: agents are not told of a tool that appears later until a reviewer accepts it. `offer`: they are. Default: `hold`.",
  ),
  offer: listOf(text("A tool's name, or a glob."), "Only these tools are offered; all others are hidden."),
  approval: words(
    ["never", "always", "refuse"],
    "One rule for the whole server. `never`: runs without asking. `always`: asks each time. `refuse`: denies.",
  ),
  timeout: duration("How long a call may run."),
  toolList: toolListSchema,
}

const env = mapOf(plain, "Environment variables for the server. `$NAME` in braces passes one of your own on.")
const headers = mapOf(
  plain,
  "Headers sent with every request. Keep secrets out of the file: `$NAME` in braces is read from the environment.",
)

/** A server is started by a command, or reached at an address. */
export const serverSchema: SchemaNode = {
  ...object("An MCP server: a `command` to start, or a `url` to reach.", {
    command: text("The program to start."),
    args: listOf(plain, "Its arguments."),
    env,
    cwd: text("The folder it is started in, from this file's folder on."),
    url: text("Where it is reached: http:// or https://."),
    headers,
    type: words(["http", "sse"], "The transport at `url`. Default: `http`."),
    ...shared,
  }),
  oneOf: [{ required: ["command"] }, { required: ["url"] }],
}
