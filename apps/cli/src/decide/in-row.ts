import type { Output } from "../io.ts"
import { goesOn } from "./wrap-line.ts"

/** One line of ours, within which words of others may begin new ones: on a terminal, those begin with the mark. Files and programs get it as it is. */
export function inRow(line: string, output: Pick<Output, "isTerminal">): string {
  return output.isTerminal ? line.replaceAll("\n", `\n${goesOn}`) : line
}
