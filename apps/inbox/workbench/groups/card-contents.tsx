import type { ApprovalView } from "@byleave/api"
import { risksOf } from "@byleave/core"
import { fileAfter, fileBefore, pendingCall } from "../calls.ts"
import { CardOf } from "../card-of.tsx"
import type { Example, ExampleGroup } from "../example.ts"

const by = { server: "files", tool: "read_text_file" }
const path = "/home/me/main.ts"
const current = { kind: "text", path, text: fileBefore, by } as const
const written = pendingCall({ args: { path, content: fileAfter } })
const edited = pendingCall({
  tool: { server: "files", tool: "edit_file" },
  args: { path, edits: [{ oldText: "const store = open()", newText: 'const store = open({ mode: "safe" })' }] },
})
const patched = pendingCall({
  tool: { server: "files", tool: "apply_patch" },
  args: {
    patch: `--- a/main.ts
+++ b/main.ts
@@ -3,5 +3,4 @@
 export function main(): void {
-  const store = open()
+  const store = open({ mode: "safe" })
   store.start()
-  console.log("started")
 }
`,
  },
})
const several = pendingCall({
  tool: { server: "files", tool: "write_files" },
  args: {
    files: [
      { path, content: fileAfter },
      { path: "/home/me/README.md", content: "# Store\n\nStarts safely.\n" },
    ],
  },
})

type Risks = ApprovalView["risks"]
const strong: Risks = [
  { kind: "sensitive-file", key: "path", sentence: "The path names a file of the system." },
  { kind: "outside-workspace", key: "path", sentence: "The path leads outside the folder that the agent works in." },
]
const noticed: Risks = [
  { kind: "large-value", key: "content", sentence: "The content is long." },
  { kind: "shell-metacharacters", key: "content", sentence: "The content holds characters that shells interpret." },
]
// In pieces, so that nothing that looks for secrets in these sources takes it for one.
const secret = ["sk", "0123456789abcdefghijklmnop"].join("-")
const hidden = "/home/me/\u202Etxt.exe\u200B"

const net = { server: "net", tool: "set" }
const fromRightToLeft = { mode: "\u05d0 0600 / 0777 \u05d1", "\u05d0": "/1/../../2/\u05d1" }
const reordered = pendingCall({
  tool: net,
  args: fromRightToLeft,
  risks: risksOf({ tool: net, args: fromRightToLeft, definition: null }),
})
const withDollarSigns = pendingCall({
  tool: { server: "files", tool: "edit_file" },
  args: { path, edits: [{ oldText: "const store = open()", newText: "const store = open($$HOME)" }] },
})

const shown = (id: string, title: string, approval: ApprovalView): Example => ({
  id,
  title,
  Draw: () => <CardOf approval={approval} />,
})

export const cardContents: ExampleGroup = {
  title: "Card: contents",
  examples: [
    {
      id: "content-diff",
      title: "file written, with its difference",
      Draw: () => <CardOf approval={written} current={current} />,
    },
    {
      id: "content-diff-part",
      title: "file written, of which only a part could be read",
      Draw: () => <CardOf approval={written} current={{ ...current, doubt: "partial" }} />,
    },
    {
      id: "content-new-file",
      title: "file that does not exist yet",
      Draw: () => <CardOf approval={written} current={{ kind: "absent", path, by }} />,
    },
    {
      id: "content-not-read",
      title: "file that cannot be read",
      Draw: () => (
        <CardOf approval={written} current={{ kind: "unavailable", why: "No tool of files may read it unasked." }} />
      ),
    },
    { id: "content-edit", title: "edit of a file", Draw: () => <CardOf approval={edited} current={current} /> },
    shown("content-patch", "patch", patched),
    { id: "content-several", title: "several files", Draw: () => <CardOf approval={several} current={current} /> },
    shown(
      "risk-strong",
      "strong risks",
      pendingCall({ args: { path: "/etc/hosts", content: "127.0.0.1 a" }, risks: strong }),
    ),
    shown(
      "risk-notice",
      "risks worth a look",
      pendingCall({ args: { path, content: "echo $(id) | sh" }, risks: noticed }),
    ),
    shown("risk-both", "risks of both levels", pendingCall({ risks: [...noticed, ...strong] })),
    shown(
      "content-secret",
      "masked secrets",
      pendingCall({
        tool: { server: "web", tool: "post" },
        args: { url: "https://example.com/hook", password: "correct horse", headers: { authorization: secret } },
        risks: [{ kind: "secret-like", key: "headers.authorization", sentence: "The value looks like a secret." }],
      }),
    ),
    shown(
      "content-hidden-characters",
      "hidden characters",
      pendingCall({
        args: { path: hidden, content: "a\u0000b\u2066c\tend  " },
        risks: [{ kind: "hidden-characters", key: "path", sentence: "The path holds characters that cannot be seen." }],
      }),
    ),
    shown("content-right-to-left", "letters from right to left", reordered),
    {
      id: "content-dollar-signs",
      title: "edit that servers read in different ways",
      Draw: () => <CardOf approval={withDollarSigns} current={current} />,
    },
    shown(
      "content-long",
      "long text",
      pendingCall({ args: { path, content: "A line of a long text.\n".repeat(400) } }),
    ),
    shown(
      "content-nested",
      "nested arguments",
      pendingCall({
        tool: { server: "memory", tool: "create_entities" },
        args: {
          entities: Array.from({ length: 12 }, (_, at) => ({
            name: `Plan ${at}`,
            observations: ["has two steps", "is late"],
            open: at % 2 === 0,
          })),
          note: null,
          empty: [],
        },
      }),
    ),
    shown(
      "content-extra",
      "params beside the arguments",
      pendingCall({ extraParams: { _meta: { trace: "4f2a" } }, droppedParams: ["priority"] }),
    ),
    shown(
      "content-near-miss",
      "almost what was approved before",
      pendingCall({
        nearMiss: {
          approval: "a0",
          differences: [{ path: "/content", before: "hi", after: "hello" }],
        },
      }),
    ),
    shown(
      "content-edited",
      "arguments changed by a reviewer",
      pendingCall({ editedArgs: { path: "/home/me/notes.md", content: "goodbye" }, runDigest: "d2" }),
    ),
    shown(
      "content-server-words",
      "words and hints of the server",
      pendingCall({
        definition: {
          title: "Write file",
          description: "Creates a file or **overwrites** it.\n\nUse with care.",
          icon: null,
          annotations: { destructiveHint: true, openWorldHint: true },
          inputSchema: { type: "object", properties: { path: { type: "string" }, content: { type: "string" } } },
        },
      }),
    ),
  ],
}
