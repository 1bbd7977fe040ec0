import {
  Ago,
  Button,
  Choice,
  CopyButton,
  Exact,
  ExactJson,
  Fact,
  Facts,
  InSteps,
  Left,
  LongField,
  Mark,
  MaskedJson,
  Menu,
  Quoted,
  Sentence,
  ShownName,
  ShownText,
  Soft,
  Stamp,
  TextField,
  TheirName,
  TheirWords,
  Tick,
  type Tone,
} from "@byleave/ui"
import { Check } from "lucide-react"
import { type ReactNode, useState } from "react"
import { RadioCards } from "../../src/pages/places/radio-cards.tsx"
import { Row, Rows } from "../../src/pages/places/rows.tsx"
import { minute, now } from "../calls.ts"
import { nothing } from "../card-of.tsx"
import type { ExampleGroup } from "../example.ts"
import look from "../frame.module.css"

const tones: readonly Tone[] = ["plain", "yes", "no", "wait", "know"]
const odd = "name\u202Egnp.exe\u200B\ttab"
const json = { path: "/home/me/notes.md", token: "correct horse", list: [1, 2, { deep: true }] }

function Modes(): ReactNode {
  const [mode, setMode] = useState<"ask" | "autonomous" | "observe">("ask")
  return (
    <RadioCards
      legend="Mode"
      value={mode}
      onChoose={setMode}
      cards={[
        { value: "ask", label: "Ask", words: "Calls that the policy does not decide wait for somebody." },
        { value: "autonomous", label: "Autonomous", words: "They run without asking.", weight: "strong" },
        { value: "observe", label: "Observe", words: "Everything runs.", barred: "The policy does not allow it." },
      ]}
    />
  )
}

export const parts: ExampleGroup = {
  title: "Parts",
  examples: [
    {
      id: "buttons",
      title: "buttons",
      Draw: () => (
        <div className={look.row}>
          {(["plain", "yes", "no", "quiet"] as const).map((tone) => (
            <Button key={tone} tone={tone}>
              {tone}
            </Button>
          ))}
          <Button icon={<Check />}>with an icon</Button>
          <Button size="small">small</Button>
          <Button disabled>disabled</Button>
          <Button busy="Sending…">busy</Button>
          <CopyButton text="text" what="the text" />
        </div>
      ),
    },
    {
      id: "marks",
      title: "marks and stamps",
      Draw: () => (
        <div className={look.row}>
          {tones.map((tone) => (
            <Mark key={tone} tone={tone}>
              {tone}
            </Mark>
          ))}
          {tones.map((tone) => (
            <Stamp key={tone} tone={tone}>
              {tone}
            </Stamp>
          ))}
        </div>
      ),
    },
    {
      id: "fields",
      title: "fields",
      Draw: () => (
        <>
          <TextField label="Name" hint="As agents see it." defaultValue="files" />
          <TextField label="Name" error="This name is taken." defaultValue="files" />
          <Choice label="Scope" options={[{ value: "session", label: "This session" }]} />
          <LongField label="Reason" hint="The agent reads it." rows={3} />
          <Tick label="Also deny the others" words="2 calls of the same tool wait." defaultChecked />
          <Tick label="Cannot be ticked" disabled />
        </>
      ),
    },
    { id: "radio-cards", title: "one of a few ways", Draw: Modes },
    {
      id: "menu",
      title: "menu",
      Draw: () => (
        <Menu
          label="More"
          trigger={<Button>More…</Button>}
          items={[
            { label: "Allow for the session", words: "Until the session ends.", onChoose: nothing },
            { label: "Always deny", tone: "no", onChoose: nothing },
            { label: "Cannot be chosen", disabled: true, onChoose: nothing },
          ]}
        />
      ),
    },
    {
      id: "texts",
      title: "texts of others",
      Draw: () => (
        <>
          <p>
            <ShownText text={odd} />
          </p>
          <p>
            <ShownName text={odd} />
          </p>
          <p>
            <Sentence text="held for approval because no rule matches files(write_file)" />
          </p>
          <Quoted by="ada says">
            <ShownText text="Not in this folder." />
          </Quoted>
          <p>
            The run <TheirWords text={`Tidy” asks to read ${odd}`} /> of <TheirName text="editor 1.0.0" /> asks to call
          </p>
        </>
      ),
    },
    {
      id: "in-steps",
      title: "a list in steps",
      Draw: () => (
        <ul>
          <InSteps items={Array.from({ length: 120 }, (_, at) => at)} one="call" first={3}>
            {(at) => <li key={at}>Call {at + 1}</li>}
          </InSteps>
        </ul>
      ),
    },
    {
      id: "times",
      title: "times",
      Draw: () => (
        <div className={look.row}>
          <Ago at={now - 4 * minute} />
          <Ago at={now - 50 * 60 * minute} />
          <Left until={now + 26 * minute} />
        </div>
      ),
    },
    {
      id: "json",
      title: "JSON, exact and masked",
      Draw: () => (
        <>
          <ExactJson value={json} secrets={null} label="Arguments" />
          <MaskedJson value={json} label="Result" />
        </>
      ),
    },
    {
      id: "facts",
      title: "facts",
      Draw: () => (
        <Facts>
          <Fact name="Command">
            <Exact>npx files-server</Exact>
          </Fact>
          <Fact name="Hints">
            trusted <Soft>since yesterday</Soft>
          </Fact>
        </Facts>
      ),
    },
    {
      id: "rows",
      title: "rows",
      Draw: () => (
        <Rows label="Permissions">
          <Row
            title="files(write_file)"
            marks={<Mark tone="yes">allow</Mark>}
            words="In this session"
            actions={<Button size="small">Forget</Button>}
          />
          <Row title="web(fetch)" marks={<Mark tone="no">deny</Mark>} />
        </Rows>
      ),
    },
  ],
}
