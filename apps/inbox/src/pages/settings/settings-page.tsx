import type { MeView } from "@byleave/api"
import { Page } from "@byleave/ui"
import type { ReactNode } from "react"
import { useRead } from "../../data/use-read.ts"
import { Reading } from "../places/reading.tsx"
import { AnsweringSettings } from "./answering-settings.tsx"
import { Devices } from "./devices.tsx"
import { LooksSettings } from "./looks-settings.tsx"
import { NotifyingSettings } from "./notifying-settings.tsx"
import { People } from "./people.tsx"
import look from "./settings.module.css"
import { ThisBrowser } from "./this-browser.tsx"
import { Tokens } from "./tokens.tsx"

/** This person, this browser, and everyone and everything else that has a way in. */
export function SettingsPage(): ReactNode {
  const me = useRead("me")
  return (
    <Page title="Settings" lead="Your account and this browser, reviewers, and agent tokens.">
      <Reading of={me} label="Loading your account" lines={4}>
        {(value) => <Settings me={value} />}
      </Reading>
    </Page>
  )
}

function Settings({ me }: { readonly me: MeView }): ReactNode {
  return (
    <>
      <div className={look.pair}>
        <div className={look.column}>
          <ThisBrowser me={me} />
          <LooksSettings />
          <AnsweringSettings />
        </div>
        <NotifyingSettings reviewer={me.reviewer.id} />
      </div>
      <Devices me={me} />
      <People me={me} />
      <Tokens />
    </>
  )
}
