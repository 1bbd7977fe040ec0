import type { ApprovalSummaryView } from "@byleave/api"
import { showText } from "@byleave/core"
import { Hourglass } from "lucide-react"
import { type ReactNode, useState } from "react"
import { ApprovalDialog } from "../../card/approval-dialog.tsx"
import { calledText } from "../../card/head/ask-words.ts"
import { Button } from "../../parts/button.tsx"
import { ShownName } from "../../parts/shown-text.tsx"
import { Left } from "../../parts/time.tsx"
import type { GivenVerdict } from "../../verdict/verdict.ts"
import { rowText } from "../../words/row-text.ts"
import look from "./request-block.module.css"

/** A call that a person is asked about, and where in the thread it stands. */
export type ChatRequest = {
  readonly approval: ApprovalSummaryView
  readonly block: string
  readonly message: string
  readonly thread: string
  /** Its place among the calls of the thread that wait. */
  readonly nth: number
}

/** An answer that was given in a thread, by the ids of everything it belongs to. */
export type RequestAnswer = Pick<ChatRequest, "block" | "message" | "thread"> & {
  readonly approval: string
  readonly tool: ApprovalSummaryView["tool"]
  readonly kind: GivenVerdict["kind"]
}

export function answerTo({ approval, block, message, thread }: ChatRequest, kind: GivenVerdict["kind"]): RequestAnswer {
  return { approval: approval.id, tool: approval.tool, block, message, thread, kind }
}

/** An answer in words, for those who listen to the page. */
export function answerWords({ kind, tool }: Pick<RequestAnswer, "kind" | "tool">): string {
  const called = showText(`${tool.server}(${tool.tool})`)
  return kind === "approve" ? `You allowed ${called}.` : `You denied ${called}.`
}

/** So many cards of a thread are drawn whole: the next ones stand as lines until there is room for them. */
const mostWhole = 3

type RequestBlockProps = {
  readonly request: ChatRequest
  readonly renderRequest: (request: ChatRequest) => ReactNode
}

/** A request for approval as a block of its message: its card, or a line that opens the card in a dialog. */
export function RequestBlock({ request, renderRequest }: RequestBlockProps): ReactNode {
  const isWhole = request.nth < mostWhole
  const { approval, block } = request
  return (
    <div className={isWhole ? look.whole : look.line} data-request={approval.id} data-block={block}>
      {isWhole ? renderRequest(request) : <FoldedRequest request={request} renderRequest={renderRequest} />}
    </div>
  )
}

function FoldedRequest({ request, renderRequest }: RequestBlockProps): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const { approval } = request
  const called = rowText(calledText(approval))
  const [first] = approval.preview ?? []
  return (
    <>
      <Hourglass aria-hidden="true" />
      <p className={look.about}>
        <code>
          <ShownName text={called} />
        </code>
        {first !== undefined && (
          <span className={look.first}>
            <ShownName text={first.isSecret ? "hidden" : first.text.slice(0, 120)} />
          </span>
        )}
      </p>
      {approval.status === "pending" && approval.expiresAt !== null && (
        <span className={look.left}>
          <Left until={approval.expiresAt} />
        </span>
      )}
      <Button size="small" aria-haspopup="dialog" aria-label={`Review ${called}`} onClick={() => setOpen(true)}>
        Review
      </Button>
      {isOpen && <ApprovalDialog onClose={() => setOpen(false)}>{renderRequest(request)}</ApprovalDialog>}
    </>
  )
}
