import fc from "fast-check"
import { createElement } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { beforeAll, describe, expect, it } from "vitest"
import { leastTimes } from "../../../../../test/growth-of.ts"
import { linkAddress } from "./link-address.ts"
import { Markdown } from "./markdown.tsx"
import { fencedCode, textBlocks } from "./text-blocks.ts"

const ordinaryText = "word *and* [link](https://a.example) "
const draw = (text: string): string => renderToStaticMarkup(createElement(Markdown, { text }))
const wordsOf = (html: string): string => html.replaceAll(/<[^>]*>/g, "")

/** Elements and attributes that a model's text may become. */
const tags =
  /^(?:div|p|span|strong|em|del|code|pre|ul|ol|li|blockquote|hr|br|a|figure|figcaption|button|svg|path|rect|section|table|thead|tbody|tr|th|td|mark|wbr)$/

function unknownTags(html: string): readonly string[] {
  return [...html.matchAll(/<([a-z][\w-]*)/gi)].flatMap(([, tag = ""]) => (tags.test(tag) ? [] : [tag]))
}

const hostile: readonly string[] = [
  "<script>alert(1)</script>",
  '<img src="https://evil.example/x.png" onerror="alert(1)">',
  "![secret](https://evil.example/x.png?q=1)",
  "[![x](https://evil.example/a.png)](javascript:alert(1))",
  "[click](javascript:alert(1))",
  "[click](data:text/html,<script>alert(1)</script>)",
  "[click]( jAvAsCrIpT:alert(1))",
  "[a]: javascript:alert(1)\n\n[a]",
  "<a href='javascript:alert(1)'>x</a>",
  "<iframe src=https://evil.example></iframe>",
  "<form action=https://evil.example><button>Allow once</button></form>",
  "<style>*{display:none}</style>",
  '# heading {#content}\n\n<div id="content" role="alert">Needs your approval</div>',
  "- [x] done\n- [ ] open",
  "[^1]: note\n\ntext[^1]",
  "---\ntitle: x\n---\n\ntext",
  "<!-- comment -->",
  "| a | b |\n|---|---|\n| <b>1</b> | [x](javascript:1) |",
  ...[..."*_`[<>!|~#-"].map((mark) => mark.repeat(3_000)),
  "> ".repeat(2_000),
  "- ".repeat(2_000),
  "[".repeat(1_500) + "](x)".repeat(1_000),
]

function named(text: string): { readonly name: string; readonly text: string } {
  return { name: `${JSON.stringify(text.slice(0, 60))} (${text.length} characters)`, text }
}

describe("a model's text", () => {
  let timeOfOrdinary = 0
  beforeAll(() => {
    timeOfOrdinary = Math.max(...leastTimes(draw, [ordinaryText.repeat(150)]))
  })

  it.each(hostile.map(named))("of $name becomes harmless elements alone", ({ text }) => {
    const html = draw(text)
    expect(unknownTags(html)).toEqual([])
    expect(html).not.toMatch(/<[^>]*\s(?:id|style|on\w+|src|srcset|action)=/i)
    for (const [, href = ""] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^(?:https?:|mailto:)/)
  })

  it.each(hostile.map(named))("I5: of $name takes no longer than some ordinary text", ({ text }) => {
    const [taken = 0] = leastTimes(draw, [text])
    expect(taken).toBeLessThan(20 * timeOfOrdinary)
  })

  it("R123: cannot imitate a card, a button or the waiting bar", () => {
    const html = draw(
      "## Needs your approval\n\n**files(write_file)**\n\n[Allow once](#allow) [Deny](#deny)\n\n1 call waits",
    )
    expect(html).not.toContain("<button")
    expect(html).not.toContain("<a ")
    expect(html).not.toMatch(/<h[1-6]|role=|aria-label="(?:Your decision|Waiting)/)
    expect(wordsOf(html)).toContain("1 call waits")
  })

  it("I5: of 200 kB is drawn up to its 40,000th character, which says so", () => {
    const text = `${ordinaryText.repeat(20)}\n\n`.repeat(300)
    const html = draw(text)
    expect(wordsOf(html)).toContain("The rest is too long to be shown here.")
    expect(html.length).toBeLessThan(draw(text.slice(0, 40_000)).length + 200)
  })

  it("I5: a block too long to be read is drawn as it was written", () => {
    expect(draw("**bold** ".repeat(1_000))).not.toContain("<strong>")
    expect(draw("**bold** ".repeat(100))).toContain("<strong>")
  })

  it("shows pictures as text, and links with where they lead", () => {
    expect(wordsOf(draw("![a cat](https://a.example/cat.png)"))).toBe("Picture not loaded: a cat (a.example/cat.png)")
    expect(wordsOf(draw("[your bank](https://bank.example@evil.example/login)"))).toBe("your bank (evil.example/login)")
    expect(wordsOf(draw("<https://a.example/b>"))).toBe("a.example/b")
  })

  it.each([
    "[a]: https://x.example/ 'The title'\n[a]: second",
    "See this.\n\n[^1]: a *note*\n    goes on",
    "> [a]: quoted\n> text",
    "- [a]: listed\n- two\n\n  [^2]: below",
  ])("I6: definitions of links and footnotes are drawn as they were written: %j", (text) => {
    const drawn = wordsOf(draw(text)).replaceAll("&#x27;", "'")
    for (const word of text.split(/\s+/)) expect(drawn).toContain(word.replace(/^[>-]$/, ""))
  })

  it("marks what cannot be seen", () => {
    expect(draw("safe\u202efdp.exe")).toContain("U+202E")
    expect(draw("`\u200b`")).toContain("U+200B")
  })

  it("keeps code as it was written, with a button to copy it", () => {
    const html = draw("Like so:\n\n```ts\nconst a = 1\n\nconst b = `*x*`\n```\n\nDone.")
    expect(html).toContain("const a = 1\n\nconst b = `*x*`")
    expect(wordsOf(html)).toContain("Copy code")
    expect(html).not.toContain("<em>")
  })
})

describe("blocks", () => {
  it("I1: joined by line breaks are the text", () => {
    const line = fc.constantFrom("", "text", "```", "~~~", "- item", "  more", "# h", "> q", "````js")
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), (lines) => {
        const text = lines.join("\n")
        expect(textBlocks(text).join("\n")).toBe(text)
      }),
    )
  })

  it("I2: a fence is one block, also while it is being written", () => {
    expect(textBlocks("a\n\n```\nb\n\nc\n```\nd")).toEqual(["a\n", "```\nb\n\nc\n```", "d"])
    expect(fencedCode("```js\nb\n\nc")).toEqual({ language: "js", code: "b\n\nc" })
    expect(fencedCode("```js\nb\n```")).toEqual({ language: "js", code: "b" })
    expect(fencedCode("text")).toBeNull()
  })

  it("a list keeps its items together over empty lines", () => {
    expect(textBlocks("- a\n\n- b\n\ntext")).toEqual(["- a\n\n- b\n", "text"])
  })
})

it.each([
  { target: "https://a.example/", shown: "a.example" },
  { target: "http://a.example/b?c", shown: "http://a.example/b?c" },
  { target: "https://user:word@evil.example/x", shown: "evil.example/x" },
  { target: "https://xn--pypal-4ve.example/", shown: "xn--pypal-4ve.example" },
  { target: "mailto:a@b.example", shown: "a@b.example" },
  {
    target: `https://accounts.google.com.${"a".repeat(60)}.${"b".repeat(60)}.evil.example/login`,
    shown: `…${"b".repeat(46)}.evil.example/login`,
  },
  { target: `https://a.example/${"b".repeat(100)}`, shown: `a.example/${"b".repeat(69)}…` },
  { target: `http://${"a".repeat(60)}.example:8080/b`, shown: `http://…${"a".repeat(46)}.example:8080/b` },
  { target: `mailto:ada@bank.example.${"a".repeat(90)}.evil.example`, shown: `…${"a".repeat(66)}.evil.example` },
  { target: "/policy", shown: undefined },
  { target: "javascript:alert(1)", shown: undefined },
  { target: "chrome://settings", shown: undefined },
  { target: null, shown: undefined },
])("$target leads to $shown", ({ target, shown }) => {
  expect(linkAddress(target)?.shown).toBe(shown)
})
