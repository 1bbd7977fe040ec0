import {
  Button,
  DefinitionWarnings,
  Empty,
  Facts,
  Loading,
  Notice,
  type OfferState,
  Page,
  ReputationFact,
  RuleOffer,
  Sheet,
} from "@byleave/ui"
import { Inbox, PlugZap, Zap } from "lucide-react"
import { ProblemNotice } from "../../src/pages/places/problem-notice.tsx"
import { ReadProblem } from "../../src/pages/places/reading.tsx"
import { Banner } from "../../src/shell/banners/banner.tsx"
import { changedPin } from "../calls.ts"
import { nothing } from "../card-of.tsx"
import type { Example, ExampleGroup } from "../example.ts"

const reputations = [
  {
    state: "signed",
    by: "Example community",
    says: "Reads only the folders it is given. Its search follows links out of them.",
  },
  { state: "unusable", why: "servers.json is not signed with the key in the configuration." },
] as const
const tones = ["know", "wait", "no", "yes"] as const
const problem = {
  type: "about:blank",
  title: "Conflict",
  status: 409,
  code: "conflict",
  detail: "Somebody else has changed this in the meantime.",
} as const

const offers: readonly OfferState[] = [
  { state: "offered" },
  { state: "saving" },
  { state: "accepted", isWaiting: false },
  { state: "refused", why: "Somebody else has changed the configuration in the meantime." },
]
const suggestion = {
  id: "3f9c1a20b7de",
  rule: '- allow: "files(write_file)"',
  words:
    'Allow files(write_file) for agents named writer when path is directly in "/srv/ws/docs" and path matches "*.md" and no argument looks sensitive and no arguments but content, path are given',
  effect: "allow",
  tool: { server: "files", tool: "write_file" },
  agent: "writer",
  evidence: [],
  approved: 14,
  denied: 0,
  calls: 14,
  sessions: 5,
  days: 3,
  agents: 1,
  saves: 14,
  also: [],
  waiting: [],
  narrows: null,
  replaces: [],
} as const

export const notices: ExampleGroup = {
  title: "Notices and states of a page",
  examples: [
    ...tones.map(
      (tone): Example => ({
        id: `notice-${tone}`,
        title: `notice: ${tone}`,
        Draw: () => (
          <Notice tone={tone} title="Something to know" actions={<Button size="small">Do it</Button>}>
            A sentence that says what it means for whoever reads it.
          </Notice>
        ),
      }),
    ),
    ...tones.map(
      (tone): Example => ({
        id: `banner-${tone}`,
        title: `banner: ${tone}`,
        Draw: () => (
          <Banner tone={tone} icon={<PlugZap />} actions={<Button size="small">Try now</Button>}>
            <strong>Something holds everywhere.</strong> It says so on every page.
          </Banner>
        ),
      }),
    ),
    ...offers.map(
      (offer): Example => ({
        id: `rule-offer-${offer.state}`,
        title: `rule offer: ${offer.state}`,
        Draw: () => <RuleOffer suggestion={suggestion} offer={offer} onAccept={nothing} onUndo={nothing} />,
      }),
    ),
    ...reputations.map(
      (reputation): Example => ({
        id: `reputation-${reputation.state}`,
        title: `reputation: ${reputation.state}`,
        Draw: () => (
          <Facts>
            <ReputationFact reputation={reputation} />
          </Facts>
        ),
      }),
    ),
    {
      id: "banner-loud",
      title: "banner: loud",
      Draw: () => (
        <Banner tone="no" icon={<Zap />} isLoud>
          <strong>claude</strong> runs calls without asking.
        </Banner>
      ),
    },
    {
      id: "empty",
      title: "nothing here",
      Draw: () => (
        <Empty icon={<Inbox />} title="Nothing waits">
          <p>Calls that need approval appear here.</p>
        </Empty>
      ),
    },
    { id: "loading", title: "loading", Draw: () => <Loading label="Loading the calls" lines={5} /> },
    {
      id: "problem",
      title: "not done",
      Draw: () => <ProblemNotice problem={problem} onClose={nothing} />,
    },
    { id: "read-problem", title: "not read", Draw: () => <ReadProblem problem={problem} again={nothing} /> },
    {
      id: "definition-warnings",
      title: "warnings about a definition",
      Draw: () => <DefinitionWarnings flags={changedPin.flags} definition={changedPin.proposed?.whole ?? null} />,
    },
    {
      id: "page",
      title: "page with a sheet",
      Draw: () => (
        <Page title="Servers" lead="The servers that agents reach through Byleave." actions={<Button>Add</Button>}>
          <Sheet title="files" actions={<Button size="small">Stop</Button>}>
            <p>Connected.</p>
          </Sheet>
        </Page>
      ),
    },
  ],
}
