import type { PinView } from "@byleave/api"
import type { JsonObject } from "@byleave/core"
import type { ReactNode } from "react"
import { Notice } from "../../parts/page.tsx"
import { ShownText } from "../../parts/shown-text.tsx"
import { TheirName } from "../../parts/their-words.tsx"
import { placeWords } from "../arguments/arg-changes.ts"
import look from "./definition-warnings.module.css"

type Flag = PinView["flags"][number]

type DefinitionWarningsProps = {
  readonly flags: readonly Flag[]
  /** The definition they are about; null where it is not known. */
  readonly definition: JsonObject | null
}

/** Warnings about a definition, to check before accepting it. No list of phrases finds everything, and the text says so. */
export function DefinitionWarnings({ flags, definition }: DefinitionWarningsProps): ReactNode {
  if (flags.length === 0) return null
  return (
    <Notice tone="wait" title="Check before accepting">
      <ul className={look.list}>
        {flags.map((flag) => (
          <li key={`${flag.kind} ${flag.path} ${flag.found}`}>
            {words[flag.kind]}
            {flag.found !== "" && (
              <>
                {" "}
                <code className={look.found}>
                  <ShownText text={flag.found} />
                </code>
              </>
            )}
            {flag.path !== "" && (
              <>
                {" in "}
                <TheirName text={placeWords(flag.path, definition)} most={longestPlace} />
              </>
            )}
            {flag.kind === "hidden-characters" && (
              <>
                {". "}
                <ShownText text={flag.sentence} />
              </>
            )}
          </li>
        ))}
      </ul>
      <p className="aside">Only known phrases are detected. Read the whole definition.</p>
    </Notice>
  )
}

/** The server chose the names in it. */
const longestPlace = 300

const words = {
  instruction: "May instruct the model:",
  credential: "Mentions a secret or where one is stored:",
  "hidden-characters": "Contains invisible characters",
  "not-looked-at": "Too long to check completely. Read it to the end",
} as const satisfies Record<Flag["kind"], string>
