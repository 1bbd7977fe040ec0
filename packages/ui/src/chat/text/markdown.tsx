/**
 * A model's text, drawn from Markdown.
 *
 * I1. Only the elements below are drawn. HTML in the text is text; nothing in it has an id, a style or a handler.
 * I2. Nothing is fetched: a picture is named, not shown.
 * I3. A link says where it leads, beside whatever it calls itself.
 * I4. What cannot be seen is marked, as everywhere.
 * I5. Reading takes a bounded time: blocks are short, and a longer one is drawn as it was written.
 * I6. Nothing is left out: a block that defines addresses or footnotes is drawn as it was written.
 */
import { type MarkdownToJSX, parser, RuleType } from "markdown-to-jsx/react"
import { memo, type ReactNode, useMemo } from "react"
import { CopyButton } from "../../parts/copy-button.tsx"
import { ShownName, ShownText } from "../../parts/shown-text.tsx"
import { linkAddress } from "./link-address.ts"
import look from "./markdown.module.css"
import { fencedCode, textBlocks } from "./text-blocks.ts"

const longestBlock = 6_000
const longestText = 40_000
const deepest = 12

type MarkdownProps = {
  readonly text: string
  /** It is still being written: of a long text the end is shown. */
  readonly isLive?: boolean
}

export const Markdown = memo(function Markdown({ text, isLive = false }: MarkdownProps): ReactNode {
  const isLong = text.length > longestText
  const shown = !isLong ? text : isLive ? text.slice(-longestText) : text.slice(0, longestText)
  const blocks = useMemo(() => textBlocks(shown.toWellFormed()), [shown])
  return (
    <div className={look.text}>
      {isLong && isLive && <p className="aside">The beginning is shown once the reply is complete.</p>}
      {blocks.map((block, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks of a text have no other name than their place
        <Block key={at} text={block} />
      ))}
      {isLong && !isLive && <p className="aside">The rest is too long to be shown here.</p>}
    </div>
  )
})

const Block = memo(function Block({ text }: { readonly text: string }): ReactNode {
  const code = fencedCode(text)
  if (code !== null) return <Code {...code} />
  const nodes = text.length > longestBlock ? null : nodesOf(text)
  if (nodes === null) {
    return (
      <p>
        <ShownText text={text} />
      </p>
    )
  }
  return <Nodes nodes={nodes} depth={0} />
})

type Node = MarkdownToJSX.ASTNode

/** Null: it could not be read, and is drawn as it was written. */
function nodesOf(text: string): readonly Node[] | null {
  try {
    const nodes = parser(text, { disableParsingRawHTML: true })
    // The definitions of a block are told once, before everything else in it, wherever they stand.
    return nodes.some(({ type }) => type === RuleType.refCollection) ? null : nodes
  } catch {
    return null
  }
}

type NodesProps = { readonly nodes: readonly Node[]; readonly depth: number }

function Nodes({ nodes, depth }: NodesProps): ReactNode {
  if (depth > deepest) return <ShownText text={nodes.map(wordsOf).join("")} />
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text have no other name than their place
  return nodes.map((node, at) => <One key={at} node={node} depth={depth} />)
}

function One({ node, depth }: { readonly node: Node; readonly depth: number }): ReactNode {
  const inside = (nodes: readonly Node[]): ReactNode => <Nodes nodes={nodes} depth={depth + 1} />
  switch (node.type) {
    case RuleType.text:
      return <ShownText text={node.text} />
    case RuleType.paragraph:
      return <p>{inside(node.children)}</p>
    case RuleType.heading:
      // A model's headings are none of the page's: whoever goes by headings does not pass through them.
      return (
        <p className={look.heading} data-level={node.level}>
          {inside(node.children)}
        </p>
      )
    case RuleType.textFormatted:
      return <Formatted tag={node.tag}>{inside(node.children)}</Formatted>
    case RuleType.codeInline:
      return (
        <code className={look.inline}>
          <ShownText text={node.text} />
        </code>
      )
    case RuleType.codeBlock:
      return <Code language={node.lang ?? ""} code={node.text} />
    case RuleType.blockQuote:
      return <blockquote className={look.quote}>{inside(node.children)}</blockquote>
    case RuleType.orderedList:
      return <ol start={node.start ?? 1}>{itemsOf(node.items, inside)}</ol>
    case RuleType.unorderedList:
      return <ul>{itemsOf(node.items, inside)}</ul>
    case RuleType.gfmTask:
      return <span>{node.completed ? "☑ " : "☐ "}</span>
    case RuleType.table:
      return <Table node={node} inside={inside} />
    case RuleType.link:
      return (
        <LinkTo target={node.target} words={wordsOf(node)}>
          {inside(node.children)}
        </LinkTo>
      )
    case RuleType.image:
      return <Picture alt={node.alt ?? ""} target={node.target} />
    case RuleType.breakThematic:
      return <hr />
    case RuleType.breakLine:
      return <br />
    case RuleType.footnote:
    case RuleType.ref:
    case RuleType.refCollection:
      return null
    case RuleType.footnoteReference:
    case RuleType.frontmatter:
    case RuleType.htmlComment:
    case RuleType.htmlBlock:
    case RuleType.htmlSelfClosing:
      return <ShownText text={wordsOf(node)} />
  }
}

function itemsOf(items: readonly (readonly Node[])[], inside: (nodes: readonly Node[]) => ReactNode): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: items of a list have no other name than their place
  return items.map((item, at) => <li key={at}>{inside(item)}</li>)
}

function Formatted({ tag, children }: { readonly tag: string; readonly children: ReactNode }): ReactNode {
  switch (tag) {
    case "strong":
      return <strong>{children}</strong>
    case "em":
      return <em>{children}</em>
    case "del":
      return <del>{children}</del>
    default:
      return <span>{children}</span>
  }
}

function Code({ language, code }: { readonly language: string; readonly code: string }): ReactNode {
  const shown = code.slice(0, longestText)
  return (
    <figure className={look.code}>
      <figcaption>
        <span>{language === "" ? "Code" : <ShownName text={language.slice(0, 40)} />}</span>
        <CopyButton text={code} what="code" tone="quiet" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <pre tabIndex={0}>
        <code>
          <ShownText text={shown} />
        </code>
      </pre>
    </figure>
  )
}

function LinkTo({
  target,
  words,
  children,
}: {
  readonly target: string | null
  readonly words: string
  readonly children: ReactNode
}): ReactNode {
  const address = linkAddress(target)
  if (address === null) {
    return (
      <>
        {children}
        {target !== null && target !== words && (
          <span className={look.address}>
            {" ("}
            <ShownName text={target.slice(0, 80)} />)
          </span>
        )}
      </>
    )
  }
  const isSame = words === target || words === address.shown || words === address.href
  return (
    <>
      <a href={address.href} target="_blank" rel="noopener noreferrer nofollow">
        {isSame ? <ShownName text={address.shown} /> : children}
      </a>
      {!isSame && (
        <span className={look.address}>
          {" ("}
          <ShownName text={address.shown} />)
        </span>
      )}
    </>
  )
}

function Picture({ alt, target }: { readonly alt: string; readonly target: string | null }): ReactNode {
  return (
    <span className={look.picture}>
      Picture not loaded{alt !== "" && ": "}
      <ShownName text={alt.slice(0, 200)} />
      {target !== null && (
        <span className={look.address}>
          {" ("}
          <ShownName text={linkAddress(target)?.shown ?? target.slice(0, 80)} />)
        </span>
      )}
    </span>
  )
}

type TableProps = {
  readonly node: MarkdownToJSX.TableNode
  readonly inside: (nodes: readonly Node[]) => ReactNode
}

function Table({ node, inside }: TableProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section className={look.table} aria-label="Table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {node.header.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other name than their place
              <th key={at} scope="col">
                {inside(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {node.cells.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name than their place
            <tr key={at}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells have no other name than their place
                <td key={column}>{inside(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** The words of a part without what they look like. */
function wordsOf(node: Node): string {
  if ("text" in node && typeof node.text === "string") return node.text
  if ("children" in node && node.children !== undefined) return node.children.map(wordsOf).join("")
  if ("items" in node) return node.items.flat().map(wordsOf).join("\n")
  return ""
}
