import type { PinView, ServerView } from "@byleave/api"
import { Ago, Button, Loading, LongField, Mark, Notice, Sentence, ShownName, TextField, type Tone } from "@byleave/ui"
import { Plus } from "lucide-react"
import { type ReactNode, useState } from "react"
import type { ServerManager } from "../../standalone/manage-servers.ts"
import { answerIn, type PanelBackend } from "../panel-client.ts"
import { PanelForm, useText } from "../panel-form.tsx"
import look from "../places.module.css"
import { ProblemNotice } from "../problem-notice.tsx"
import { ServerBadge } from "../server-badge.tsx"
import { useAct, useLive } from "../use-live.ts"
import { ChangedTools, isChanged } from "./changed-tools.tsx"
import { readPins } from "./read-pins.ts"

export function Servers({ backend }: { readonly backend: PanelBackend }): ReactNode {
  const [isAdding, setAdding] = useState(false)
  const servers = useLive(
    backend,
    async () => {
      const [known, pins] = await Promise.all([answerIn(backend.client.listServers()), readPins(backend.client)])
      return { servers: known.items, pins }
    },
    {
      key: "servers",
      isStale: ({ type }) => ["server.changed", "definition.changed", "policy.changed", "grant.changed"].includes(type),
    },
  )
  const manager = backend.servers
  return (
    <div className={look.place}>
      <h2>Servers</h2>
      {manager !== null ? (
        <p className="soft">MCP servers that this browser reaches by their address. Each call of them asks first.</p>
      ) : (
        <p className="soft">The servers of your Byleave. Change them there; servers with OAuth sign in there, too.</p>
      )}
      {servers.state === "loading" && <Loading label="Loading the servers" />}
      {servers.state === "problem" && <ProblemNotice words={servers.words} />}
      {servers.state === "ready" &&
        servers.value.servers.map((server) => (
          <Server
            key={server.id}
            backend={backend}
            server={server}
            pins={servers.value.pins.filter((pin) => pin.server === server.id)}
            onChanged={servers.again}
          />
        ))}
      {manager !== null &&
        (isAdding ? (
          <AddServer
            manager={manager}
            onDone={() => setAdding(false)}
            onAdded={() => servers.state === "ready" && servers.again()}
          />
        ) : (
          <div>
            <Button icon={<Plus />} onClick={() => setAdding(true)}>
              Add a server
            </Button>
          </div>
        ))}
    </div>
  )
}

type ServerProps = {
  readonly backend: PanelBackend
  readonly server: ServerView
  readonly pins: readonly PinView[]
  readonly onChanged: () => void
}

const stateWords: Readonly<Record<ServerView["health"]["state"], { readonly words: string; readonly tone: Tone }>> = {
  idle: { words: "Not tried yet", tone: "plain" },
  connecting: { words: "Connecting", tone: "know" },
  connected: { words: "Connected", tone: "yes" },
  failing: { words: "Cannot be reached", tone: "no" },
  stopped: { words: "Stopped", tone: "plain" },
}

function Server({ backend, server, pins, onChanged }: ServerProps): ReactNode {
  const { id, health } = server
  const manager = server.target === "In this extension" ? null : backend.servers
  const [isAsking, setAsking] = useState(false)
  const test = useAct(async () => {
    await manager?.test(id)
    onChanged()
  })
  const remove = useAct(async () => {
    await manager?.remove(id)
    onChanged()
  })
  const { words, tone } = stateWords[health.state]
  return (
    <article className={look.server} aria-label={id}>
      <header>
        <ServerBadge server={id} kind={backend.kind} />
        <Mark tone={tone}>{words}</Mark>
        <Verified pins={pins} />
      </header>
      <dl className={look.facts}>
        <dt>Address</dt>
        <dd>
          <ShownName text={server.target} />
        </dd>
        <dt>Credentials</dt>
        <dd>{server.hasCredentials ? "Headers are set; their values are never shown." : "None"}</dd>
        <dt>Last connected</dt>
        <dd>{health.lastConnectedAt === null ? "Never" : <Ago at={health.lastConnectedAt} />}</dd>
      </dl>
      {health.state === "failing" && health.lastError !== null && (
        <Notice tone="no">
          <Sentence text={health.lastError} />
        </Notice>
      )}
      <ChangedTools backend={backend} pins={pins.filter(isChanged)} />
      {server.tools.length > 0 && (
        <details className={look.tools}>
          <summary>{server.tools.length === 1 ? "1 tool" : `${server.tools.length} tools`}</summary>
          <ul>
            {server.tools.map(({ name, access, effect }) => (
              <li key={name}>
                <code>
                  <ShownName text={name} />
                </code>
                <span>
                  <Mark tone={access === "write" ? "wait" : "plain"}>{access === "write" ? "writes" : "reads"}</Mark>{" "}
                  <Mark tone={effect === "allow" ? "yes" : "plain"}>
                    {effect === "allow" ? "runs without approval" : "asks"}
                  </Mark>
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {[test, remove].map(({ problem }) => problem !== null && <ProblemNotice key={problem} words={problem} />)}
      {isAsking && (
        <p className="soft">
          Removing it also revokes what you have allowed for it, in all threads, forgets its verified tools, and cancels
          its calls that wait or run.
        </p>
      )}
      {manager !== null && (
        <div className={look.buttons}>
          <Button size="small" busy={test.isBusy && "Testing…"} onClick={() => void test.run()}>
            Test
          </Button>
          {isAsking ? (
            <>
              <Button size="small" onClick={() => setAsking(false)}>
                Keep it
              </Button>
              <Button size="small" tone="no" busy={remove.isBusy && "Removing…"} onClick={() => void remove.run()}>
                Remove <ShownName text={id} />
              </Button>
            </>
          ) : (
            <Button size="small" tone="quiet" onClick={() => setAsking(true)}>
              Remove
            </Button>
          )}
        </div>
      )}
    </article>
  )
}

/** Whether its tools are those that were accepted. */
function Verified({ pins }: { readonly pins: readonly PinView[] }): ReactNode {
  if (pins.length === 0) return <Mark tone="plain">Not verified</Mark>
  return pins.some(isChanged) ? <Mark tone="wait">Changed since verified</Mark> : <Mark tone="yes">Verified</Mark>
}

type AddProps = { readonly manager: ServerManager; readonly onDone: () => void; readonly onAdded: () => void }

function AddServer({ manager, onDone, onAdded }: AddProps): ReactNode {
  const [id, idField] = useText()
  const [url, urlField] = useText()
  const [headers, headersField] = useText()
  const add = useAct(async () => {
    await manager.add({ id, url, headers })
    onAdded()
    onDone()
  })
  return (
    <PanelForm
      label="Add a server"
      problem={add.problem}
      buttons={
        <>
          <Button onClick={onDone}>Cancel</Button>
          <Button tone="yes" busy={add.isBusy && "Testing…"} onClick={() => void add.run()}>
            Test and add
          </Button>
        </>
      }
    >
      <TextField label="Name" hint="Short, such as tracker. Permissions name it." {...idField} />
      <TextField
        label="Address"
        type="url"
        hint="Of its streamable HTTP endpoint, such as http://127.0.0.1:3001/mcp"
        {...urlField}
      />
      <LongField
        label="Headers (optional)"
        hint="One per line, such as Authorization: Bearer … They are sealed in this browser."
        rows={2}
        autoComplete="off"
        spellCheck={false}
        {...headersField}
      />
    </PanelForm>
  )
}
