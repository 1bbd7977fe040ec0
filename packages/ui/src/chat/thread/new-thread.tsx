import type { ReactNode } from "react"
import { CopyButton } from "../../parts/copy-button.tsx"
import { followInPage } from "../../plots/follow.ts"
import type { ThreadSetup } from "../composer/thread-setup.ts"
import look from "./new-thread.module.css"
import { promptsFor } from "./prompts.ts"
import { StartFrame, ThreadStart } from "./thread-start.tsx"

type NewThreadProps = {
  readonly setup: ThreadSetup
  readonly onTry: (text: string) => void
  /** Goes to the page that shows the configuration. */
  readonly onFollow: (href: string) => void
}

/** Before the first message: what to ask for, or what is missing to ask anything. */
export function NewThread({ setup, onTry, onFollow }: NewThreadProps): ReactNode {
  if (setup.models === "none") return <NoModel onFollow={onFollow} />
  const { prompts, isScripted } = promptsFor(setup)
  return (
    <ThreadStart prompts={prompts} onTry={onTry}>
      {isScripted && (
        <p className={look.aside}>
          The model here is scripted: it plays what is written down for it, so that you can try Byleave without a key.
          It knows the three tasks above. Add a real one under <code>models:</code> in the{" "}
          <ConfigurationLink onFollow={onFollow}>configuration</ConfigurationLink>.
        </p>
      )}
    </ThreadStart>
  )
}

const keyExample = `key: \${OPENAI_API_KEY}`

const toPaste = `models:
  local:
    provider: openai-compatible
    url: "http://127.0.0.1:11434/v1"
    model: qwen3
`

type ConfigurationLinkProps = Pick<NewThreadProps, "onFollow"> & { readonly children: ReactNode }

function ConfigurationLink({ onFollow, children }: ConfigurationLinkProps): ReactNode {
  return (
    <a href="/policy" onClick={(event) => followInPage(event, "/policy", onFollow)}>
      {children}
    </a>
  )
}

function NoModel({ onFollow }: Pick<NewThreadProps, "onFollow">): ReactNode {
  return (
    <StartFrame
      title="Connect a model to chat"
      lead={
        <>
          Byleave runs the agent; you choose the model. Paste this into <code>byleave.yaml</code>, for a model server on
          this machine such as Ollama, LM Studio or llama.cpp:
        </>
      }
    >
      <figure className={look.paste}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
        <pre tabIndex={0}>
          <code>{toPaste}</code>
        </pre>
        <figcaption>
          <CopyButton text={toPaste} what="lines" />
          <ConfigurationLink onFollow={onFollow}>Open the configuration</ConfigurationLink>
        </figcaption>
      </figure>
      <p className={look.aside}>
        <code>byleave doctor</code> finds model servers on this machine. For OpenAI, Anthropic or Google, name the
        provider and keep the key in an environment variable: <code>{keyExample}</code>. A new model waits for your
        approval before it is used.
      </p>
    </StartFrame>
  )
}
