import type { ExampleGroup } from "./example.ts"
import { cardContents } from "./groups/card-contents.tsx"
import { cardKinds } from "./groups/card-kinds.tsx"
import { cardStates } from "./groups/card-states.tsx"
import { dialogs } from "./groups/dialogs.tsx"
import { notices } from "./groups/notices.tsx"
import { parts } from "./groups/parts.tsx"
import { plots } from "./groups/plots.tsx"
import { reviews } from "./groups/reviews.tsx"
import { rows } from "./groups/rows.tsx"
import { runs } from "./groups/runs.tsx"
import { verdicts } from "./groups/verdicts.tsx"

export const exampleGroups: readonly ExampleGroup[] = [
  cardStates,
  cardKinds,
  cardContents,
  verdicts,
  dialogs,
  rows,
  runs,
  reviews,
  plots,
  notices,
  parts,
]
