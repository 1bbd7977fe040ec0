import { ChevronDown, Server } from "lucide-react"
import { type ReactNode, useState } from "react"
import { Button } from "../../parts/button.tsx"
import { Dialog } from "../../parts/dialog.tsx"
import { Tick } from "../../parts/field.tsx"
import look from "./thread-choices.module.css"
import type { ThreadSetup } from "./thread-setup.ts"

/** The model and the servers of a thread, to choose from; a change holds from the next message on. */
export function ThreadChoices({ setup }: { readonly setup: ThreadSetup }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const { models, servers, usedServers } = setup
  if (typeof models === "string") return null
  const isKnown = models.some(({ name }) => name === setup.model)
  return (
    <>
      <label className={look.model}>
        <span className="only-read-aloud">Model</span>
        <select value={setup.model} onChange={(event) => setup.onModel(event.currentTarget.value)}>
          {!isKnown && <option value={setup.model}>{setup.model} (not configured)</option>}
          {models.map(({ name, provider, problem }) => (
            <option key={name} value={name} disabled={problem !== null}>
              {name}
              {provider === "scripted" && name !== "scripted" ? " (scripted)" : ""}
              {problem === null ? "" : " (not usable now)"}
            </option>
          ))}
        </select>
        <ChevronDown aria-hidden="true" />
      </label>
      <Button size="small" tone="quiet" icon={<Server />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {serversWords(usedServers, servers)}
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Servers of this thread"
        lead="The agent may use the tools of these servers. Calls that your policy does not allow are still asked about."
        actions={<Button onClick={() => setOpen(false)}>Done</Button>}
      >
        {servers.length === 0 ? (
          <p>No server is configured. Add one under servers: in byleave.yaml.</p>
        ) : (
          <div className={look.ticks}>
            {servers.map((id) => (
              <Tick
                key={id}
                label={id}
                checked={usedServers.includes(id)}
                onChange={(event) => setup.onServers(ticked(servers, usedServers, id, event.currentTarget.checked))}
              />
            ))}
          </div>
        )}
      </Dialog>
    </>
  )
}

function ticked(all: readonly string[], used: readonly string[], id: string, isOn: boolean): readonly string[] {
  return all.filter((each) => (each === id ? isOn : used.includes(each)))
}

function serversWords(used: readonly string[], all: readonly string[]): string {
  if (used.length === 0) return "No servers"
  if (used.length === 1) return used[0] ?? ""
  return used.length >= all.length ? `All ${used.length} servers` : `${used.length} servers`
}
