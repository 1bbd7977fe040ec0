/**
 * Markdown cut into blocks, each read by itself: while a text grows, only its last block is read again.
 *
 * I1. The blocks, joined by line breaks, are the text.
 * I2. A fence of code is one block, however many empty lines it holds.
 */
export function textBlocks(text: string): readonly string[] {
  const blocks: string[] = []
  let block: string[] = []
  let fence: string | null = null
  const end = (): void => {
    if (block.length > 0) blocks.push(block.join("\n"))
    block = []
  }
  const lines = text.split("\n")
  for (const [at, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== null) {
      block.push(line)
      if (closes(line, fence)) {
        fence = null
        end()
      }
      continue
    }
    if (mark !== undefined) {
      end()
      fence = mark
      block.push(line)
      continue
    }
    block.push(line)
    if (line.trim() === "" && beginsAnew(lines[at + 1])) end()
  }
  end()
  return blocks
}

function closes(line: string, fence: string): boolean {
  const mark = line.trim()
  return mark.length >= fence.length && mark === (fence[0] ?? "").repeat(mark.length)
}

/** Indented lines and items of a list may belong to what stands above the empty line. */
function beginsAnew(next: string | undefined): boolean {
  return next !== undefined && !/^(?:\s|[-*+] |\d{1,9}[.)] )/.test(next) && next.trim() !== ""
}

/** The code of a block that is a fence, whether or not its end has been written yet; null: it is something else. */
export function fencedCode(block: string): { readonly language: string; readonly code: string } | null {
  const found = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\n`]*)(?:\n|$)/.exec(block)
  const [opening, fence = "", language = ""] = found ?? []
  if (opening === undefined) return null
  const rest = block.slice(opening.length)
  const last = rest.slice(rest.lastIndexOf("\n") + 1)
  const code = closes(last, fence) ? rest.slice(0, Math.max(0, rest.length - last.length - 1)) : rest
  return { language: language.trim().split(/\s/, 1)[0] ?? "", code }
}
