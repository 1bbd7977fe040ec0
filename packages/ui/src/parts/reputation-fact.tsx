import type { ServerView } from "@byleave/api"
import { firstCharacters } from "@byleave/core"
import type { ReactNode } from "react"
import { Sentence } from "../card/arguments/shown-value.tsx"
import { Fact, Soft } from "./facts.tsx"
import { Quoted } from "./quoted.tsx"
import { ShownName } from "./shown-text.tsx"
import { TheirWords } from "./their-words.tsx"

/** Words of others about a server, from a local signed file. They decide nothing. */
export function ReputationFact({
  reputation,
}: {
  readonly reputation: NonNullable<ServerView["reputation"]>
}): ReactNode {
  return (
    <Fact name="Reputation">
      {reputation.state === "signed" ? (
        <>
          <Quoted by="From a file signed with the key in your configuration">
            <ShownName text={firstCharacters(reputation.says, 1_000)} />
          </Quoted>
          <Soft>
            Signed as <TheirWords text={reputation.by} most={100} />. No rule takes this into account.
          </Soft>
        </>
      ) : (
        <>
          Not shown. <Sentence text={reputation.why} />
        </>
      )}
    </Fact>
  )
}
