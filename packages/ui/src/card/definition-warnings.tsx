import type { PinView } from "@byleave/api"
import type { ReactNode } from "react"
import { Notice } from "../parts/page.tsx"
import { ShownText } from "../parts/shown-text.tsx"
import { placeWords } from "./arg-changes.ts"
import look from "./definition-warnings.module.css"

type Flag = PinView["flags"][number]

/** What to look at twice in a definition before accepting it. No list of phrases finds everything, and it says so. */
export function DefinitionWarnings({ flags }: { readonly flags: readonly Flag[] }): ReactNode {
  if (flags.length === 0) return null
  return (
    <Notice tone="wait" title="Look at this twice">
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
                <ShownText text={placeWords(flag.path)} />
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
      <p className={look.soft}>Only known phrases are found. Read all of it.</p>
    </Notice>
  )
}

const words = {
  instruction: "May speak to the model:",
  credential: "Names a secret or where one is kept:",
  "hidden-characters": "Has characters that nobody sees",
  "not-looked-at": "Too long to be looked through as a whole. Read it to its end",
} as const satisfies Record<Flag["kind"], string>
