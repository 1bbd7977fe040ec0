import type { NewToken } from "@byleave/api"
import { Sheet } from "@byleave/ui"
import { type ReactNode, useState } from "react"
import { useRead } from "../../data/use-read.ts"
import { LeaveGuard } from "../places/leave-guard.tsx"
import { RadioCards } from "../places/radio-cards.tsx"
import { AddressFields, allServers } from "./address-fields.tsx"
import { type ClientSetup, exampleCommand, type Way } from "./client-setups.ts"
import { commandWords } from "./command-words.ts"
import look from "./connect-page.module.css"
import { FirstCallLine } from "./first-call-line.tsx"
import type { SetupFill } from "./setup-lines.ts"
import { SetupTexts } from "./setup-texts.tsx"
import { TokenField } from "./token-field.tsx"
import { WrapFields } from "./wrap-fields.tsx"

const ways = [
  {
    value: "address",
    label: "One address for all servers",
    words: "The client connects to this service over HTTP with a token. Byleave runs the servers in its configuration.",
  },
  {
    value: "wrap",
    label: "Wrap one server",
    words: "The client starts its server as before, behind “byleave wrap”. No token, and nothing else changes.",
  },
] as const satisfies ReadonlyArray<{ readonly value: Way; readonly label: string; readonly words: string }>

/** How the chosen client connects, and what to write where. What was chosen stays when another client is. */
export function ClientSteps({ setup }: { readonly setup: ClientSetup }): ReactNode {
  const [way, setWay] = useState<Way>("address")
  const [server, setServer] = useState(allServers)
  const [name, setName] = useState("")
  const [command, setCommand] = useState("")
  const [made, setMade] = useState<NewToken | null>(null)
  const [isCopied, setCopied] = useState(false)
  const servers = useRead("listServers")
  const configured =
    servers.state === "ready" ? servers.value.items.filter(({ transport }) => transport !== "program") : null
  const fill = way === "wrap" ? wrapFill(setup, name, command) : addressFill(server)
  const secret = way === "address" ? (made?.secret ?? null) : null
  return (
    <div className={look.columns}>
      <div className={look.column}>
        <Sheet title="Connection">
          <div className={look.body}>
            <RadioCards legend="How it connects" value={way} onChoose={setWay} cards={ways} />
            {way === "wrap" ? (
              <WrapFields setup={setup} name={name} command={command} onName={setName} onCommand={setCommand} />
            ) : (
              <AddressFields servers={configured} server={server} onServer={setServer} />
            )}
          </div>
        </Sheet>
        {way === "address" && (
          <Sheet title="Token">
            <div className={look.body}>
              <TokenField key={setup.id} suggested={setup.id} made={made} onMade={setMade} />
            </div>
          </Sheet>
        )}
      </div>
      <div className={look.column}>
        <SetupTexts setup={setup} way={way} fill={fill} secret={secret} onCopied={() => setCopied(true)} />
        <FirstCallLine
          key={made?.token.id ?? ""}
          principal={way === "address" ? (made?.token.id ?? null) : null}
          onlyNew
        />
      </div>
      <LeaveGuard
        isEdited={made !== null && !isCopied}
        isLeft={(from, to) => from.pathname !== to.pathname}
        title="Leave without the token?"
        stay="Stay"
      >
        The token was not copied, and it cannot be shown again.
      </LeaveGuard>
    </div>
  )
}

function wrapFill(setup: ClientSetup, name: string, command: string): SetupFill {
  const words = commandWords(command)
  return { name: name.trim() || "files", url: "", command: words.length === 0 ? exampleCommand(setup) : words }
}

/** By the address this page has itself: agents of this machine or network reach it there as people do. */
function addressFill(server: string): SetupFill {
  const path = server === allServers ? "/mcp" : `/mcp/${encodeURIComponent(server)}`
  return { name: server === allServers ? "byleave" : server, url: new URL(path, location.origin).href, command: [] }
}
