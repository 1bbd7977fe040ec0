import { CornerDownLeft } from "lucide-react"
import type { ReactNode } from "react"
import type { Prompt } from "./prompts.ts"
import look from "./thread-start.module.css"

type ThreadStartProps = {
  readonly prompts: readonly Prompt[]
  readonly onTry: (text: string) => void
  /** Below the prompts: what the thread works with. */
  readonly children?: ReactNode
}

/** Before the first message: what to ask for. */
export function ThreadStart({ prompts, onTry, children }: ThreadStartProps): ReactNode {
  return (
    <StartFrame
      title="What should the agent do?"
      lead="It works with the tools of your servers. A call that needs your approval waits right here, in its reply."
    >
      <ul className={look.prompts} aria-label="Try one of these">
        {prompts.map(({ text, words }) => (
          <li key={text}>
            <button type="button" className={look.prompt} onClick={() => onTry(text)}>
              <span className={look.text}>{text}</span>
              <span className={look.words}>{words}</span>
              <CornerDownLeft aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      {children}
    </StartFrame>
  )
}

type StartFrameProps = { readonly title: string; readonly lead: ReactNode; readonly children: ReactNode }

export function StartFrame({ title, lead, children }: StartFrameProps): ReactNode {
  return (
    <div className={look.start}>
      <h2 className={look.title}>{title}</h2>
      <p className={look.lead}>{lead}</p>
      {children}
    </div>
  )
}
