import { givenWords, type SetupFileView, type SetupServerView, type SetupView } from "@byleave/api"
import { shownName } from "@byleave/core"
import { Button, Notice, Sheet, ShownText } from "@byleave/ui"
import { ShieldCheck, Undo2 } from "lucide-react"
import type { ReactNode } from "react"
import { useAct } from "../../data/use-act.ts"
import { useRead } from "../../data/use-read.ts"
import { ProblemNotice } from "../places/problem-notice.tsx"
import look from "./agents-here.module.css"

/** The agents on the machine of the service: what setup would change in their files, one press to do it, and one to undo it. */
export function AgentsHere(): ReactNode {
  const setup = useRead("getSetup")
  if (setup.state !== "ready" || setup.value.whyNot !== null) return null
  const { files, undoable } = setup.value
  if (files.length === 0 && undoable.length === 0) return null
  return (
    <Sheet title="Agents on this machine">
      <div className={look.body}>
        <p>{leadOf(setup.value)}</p>
        {files.map((file) => (
          <AgentFile key={file.file} file={file} />
        ))}
        <SetupActions setup={setup.value} />
      </div>
    </Sheet>
  )
}

/** Whether setup would change anything. */
export function changesOf({ files }: SetupView): readonly SetupServerView[] {
  return files
    .flatMap(({ servers }) => servers)
    .filter(({ becomes }) => becomes === "wrapped" || becomes === "addressed")
}

function leadOf(setup: SetupView): string {
  const count = changesOf(setup).length
  if (count === 0) return "All MCP servers that can be put behind Byleave are behind it."
  const servers = count === 1 ? "1 MCP server is" : `${count} MCP servers are`
  return `${servers} not behind Byleave yet. These lines of the agents’ files would change; everything else in them stays.`
}

function AgentFile({ file }: { readonly file: SetupFileView }): ReactNode {
  return (
    <section className={look.file} aria-label={file.title}>
      <h3>
        {file.title}{" "}
        <code>
          <ShownText text={file.file} />
        </code>
      </h3>
      {file.servers.map((server) => (
        <ServerChange key={`${server.server} ${server.name} ${server.before}`} server={server} />
      ))}
      {file.allow !== null && (
        <p data-tone="after">
          <code>
            <ShownText text={file.allow.file} />
          </code>
          : {file.title} no longer asks about{" "}
          <ShownText text={file.allow.servers.map((one) => shownName(one)).join(", ")} /> (
          <code>
            <ShownText text={file.allow.rules.map((one) => shownName(one)).join(", ")} />
          </code>
          ); Byleave does.
        </p>
      )}
      {file.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {file.problem !== null && (
        <Notice tone="wait" title="This file is left as it is">
          <ShownText text={`${file.problem.file}, line ${file.problem.line}: ${file.problem.message}`} />
        </Notice>
      )}
    </section>
  )
}

function ServerChange({ server }: { readonly server: SetupServerView }): ReactNode {
  const name = shownName(server.server)
  if (server.becomes === "same" || server.becomes === "left") {
    return (
      <p>
        <ShownText text={`${name}${givenWords(server)}`} />:{" "}
        {server.becomes === "same" ? "behind Byleave" : <ShownText text={`left as it is: ${server.why ?? ""}`} />}
      </p>
    )
  }
  return (
    <div className={look.change}>
      <p data-tone="before">
        <del>
          <ShownText text={`${name}: ${server.before}${givenWords(server)}`} />
        </del>
      </p>
      <p data-tone="after">
        <ins>
          <ShownText text={`${name}: ${server.after ?? ""}`} />
        </ins>
      </p>
      {server.change !== null && (
        <p>
          Then waits for your approval: <ShownText text={server.change} />
        </p>
      )}
      {server.warning !== null && (
        <Notice tone="wait" title="Read this first">
          <ShownText text={server.warning} />
        </Notice>
      )}
    </div>
  )
}

function SetupActions({ setup }: { readonly setup: SetupView }): ReactNode {
  const me = useRead("me")
  const run = useAct("setUpAgents")
  const undo = useAct("undoSetup")
  const hasChanges = changesOf(setup).length > 0
  if (me.state === "ready" && !me.value.present) {
    return (
      <Notice tone="wait" title="Setting up agents requires your PIN">
        This browser was signed in without it. Sign in again with a link from “byleave open” and your PIN, or run{" "}
        <code>byleave setup</code> in a terminal.
      </Notice>
    )
  }
  return (
    <>
      <div className={look.actions}>
        {hasChanges && (
          <Button
            tone="yes"
            icon={<ShieldCheck />}
            busy={run.isBusy && "Writing…"}
            onClick={() => void run.act({ body: { version: setup.version } })}
          >
            Put Byleave in front of these
          </Button>
        )}
        {setup.undoable.length > 0 && (
          <Button
            icon={<Undo2 />}
            busy={undo.isBusy && "Undoing…"}
            onClick={() => void undo.act({ body: { version: setup.version } })}
          >
            Undo setup
          </Button>
        )}
      </div>
      {setup.undoable.length > 0 && (
        <>
          <p>Restart agents that were running. Undo puts these files back; later edits stay:</p>
          <ul>
            {setup.undoable.map((path) => (
              <li key={path}>
                <code>
                  <ShownText text={path} />
                </code>
              </li>
            ))}
          </ul>
        </>
      )}
      <ProblemNotice problem={run.problem ?? undo.problem} />
    </>
  )
}
