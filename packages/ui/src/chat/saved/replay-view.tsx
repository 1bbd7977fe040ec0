import type { ApprovalView, CurrentContentView } from "@byleave/api"
import { CirclePlay, Pause, RotateCcw, StepForward } from "lucide-react"
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react"
import { ApprovalCard } from "../../card/approval-card.tsx"
import { CardNameContext } from "../../card/card-name.ts"
import { Button } from "../../parts/button.tsx"
import type { LiveLeg } from "../../run/live-leg.ts"
import { storyTurns } from "../../run/story-turns.ts"
import type { CardActions, GivenVerdict } from "../../verdict/verdict.ts"
import { chatMessages } from "../messages/chat-messages.ts"
import { ChatThread } from "../messages/chat-thread.tsx"
import type { ChatRequest } from "../messages/request-block.tsx"
import { waitingCalls } from "../messages/waiting-calls.ts"
import { Conversation } from "../thread/conversation.tsx"
import { ThreadHead } from "../thread/thread-head.tsx"
import type { RecordedThread, ReplayStep } from "./read-recording.ts"
import look from "./replay-view.module.css"
import { listedApproval, replayedThread } from "./replayed-thread.ts"

type ReplayViewProps = {
  readonly thread: RecordedThread
  readonly onShowList: () => void
  readonly onClose: () => void
}

const shortestMs = 350
const longestMs = 1_600
const wordMs = 45

/** A recorded thread, played in the page that threads are in. Nothing is asked of a model, a server or the service. */
export function ReplayView({ thread, onShowList, onClose }: ReplayViewProps): ReactNode {
  const [start] = useState(() => Date.now())
  const player = usePlayer(thread, start)
  const { replayed, live, verdicts } = player
  const scroll = useRef<HTMLDivElement>(null)
  const approvals = useMemo(
    () => new Map([...replayed.approvals].map(([call, approval]) => [call, listedApproval(approval)])),
    [replayed],
  )
  const messages = useMemo(() => chatMessages(storyTurns(replayed.items, live)), [replayed, live])
  const waiting = useMemo(() => waitingCalls(messages, approvals), [messages, approvals])
  const toolNames = useMemo(
    () =>
      new Map(
        [...thread.tools.keys()]
          .map((key) => key.split(" "))
          .map(([server, tool]) => [`${server}__${tool}`, `${server}(${tool})`]),
      ),
    [thread],
  )
  const status = player.isOver ? "finished" : waiting.length > 0 ? "paused" : "running"
  const renderRequest = (request: ChatRequest): ReactNode => {
    const approval = replayed.approvals.get(request.approval.run?.toolCall ?? "")
    if (approval === undefined) return null
    return (
      <CardNameContext value={request.nth === 0 ? null : `call ${request.nth + 1}`}>
        <RecordedCard
          approval={approval}
          current={replayed.files.get(approval.run?.toolCall ?? "") ?? null}
          verdict={verdicts.get(approval.id)}
          onVerdict={player.decide}
        />
      </CardNameContext>
    )
  }
  return (
    <Conversation
      id="recording"
      head={<ThreadHead title="A recording" onShowList={onShowList} />}
      messages={messages}
      waiting={waiting}
      isReady={false}
      composer={null}
      scroll={scroll}
      foot={<Controls player={player} steps={thread.steps.length} onClose={onClose} />}
    >
      <ChatThread
        run={{ id: "recording", status, model: thread.model }}
        messages={messages}
        approvals={approvals}
        toolNames={toolNames}
        renderRequest={renderRequest}
        onFollow={() => undefined}
      />
    </Conversation>
  )
}

type Player = ReturnType<typeof usePlayer>

function usePlayer(thread: RecordedThread, start: number) {
  const [played, setPlayed] = useState(1)
  const [words, setWords] = useState(0)
  const [isPlaying, setPlaying] = useState(true)
  const [verdicts, setVerdicts] = useState<ReadonlyMap<string, GivenVerdict["kind"]>>(new Map())
  const [difference, setDifference] = useState<string | null>(null)
  const replayed = useMemo(() => replayedThread(thread, played, start), [thread, played, start])
  const next = thread.steps[played]
  const isAsking = replayed.awaited.length > 0
  const isOver = next === undefined
  const spoken = next?.kind === "answer" ? next.text.split(/(?<=\s)/) : []
  const forward = useCallback(() => {
    setWords(0)
    setVerdicts(new Map())
    setPlayed((before) => Math.min(before + 1, thread.steps.length))
  }, [thread])
  useEffect(() => {
    if (!isPlaying || isOver || isAsking) return
    const isSpeaking = words < spoken.length && !matchMedia("(prefers-reduced-motion: reduce)").matches
    const timer = setTimeout(
      () => (isSpeaking ? setWords(words + 1) : forward()),
      isSpeaking ? wordMs : pauseBefore(thread.steps, played),
    )
    return () => clearTimeout(timer)
  }, [isPlaying, isOver, isAsking, words, spoken.length, forward, thread, played])
  const decide = (approval: ApprovalView, kind: GivenVerdict["kind"]): void => {
    const given = new Map(verdicts).set(approval.id, kind)
    setVerdicts(given)
    const recorded = replayed.awaited.find(({ toolCall }) => toolCall === approval.run?.toolCall)
    const isSame = recorded === undefined || recorded.approve === (kind === "approve")
    setDifference(
      isSame
        ? null
        : `In the recording this call was ${recorded.approve ? "allowed" : "denied"}, and it goes on like that.`,
    )
    if (given.size >= replayed.awaited.length) forward()
  }
  return {
    replayed,
    played,
    isOver,
    isPlaying,
    isAsking,
    verdicts,
    difference,
    live: liveLeg(next, spoken.slice(0, words).join("")),
    decide,
    forward,
    toggle: () => setPlaying(!isPlaying),
    restart: () => {
      setDifference(null)
      setVerdicts(new Map())
      setWords(0)
      setPlayed(1)
      setPlaying(true)
    },
  }
}

/** As long as it took, within what people like to wait. */
function pauseBefore(steps: readonly ReplayStep[], at: number): number {
  const took = (steps[at]?.ms ?? 0) - (steps[at - 1]?.ms ?? 0)
  return Math.min(longestMs, Math.max(shortestMs, took))
}

/** The beginning of an answer, as while it streamed. */
function liveLeg(next: ReplayStep | undefined, said: string): LiveLeg | null {
  if (next?.kind !== "answer" || said === "") return null
  return {
    leg: next.leg + 1_000_000,
    steps: [{ text: said, reasoning: next.reasoning, calls: [], usage: null }],
    outcomes: new Map(),
    attempt: null,
  }
}

type ControlsProps = { readonly player: Player; readonly steps: number; readonly onClose: () => void }

function Controls({ player, steps, onClose }: ControlsProps): ReactNode {
  const { isOver, isPlaying, isAsking, played } = player
  return (
    <section className={look.controls} aria-label="Recording">
      <p className={look.words} role="status">
        {isOver
          ? "The recording is over."
          : isAsking
            ? "This call waited for a decision here. Give any answer to continue; nothing runs."
            : "This is a recording. Nothing is asked of a model, and nothing runs."}
        {player.difference !== null && ` ${player.difference}`}
      </p>
      <div className={look.buttons}>
        <span className="aside">
          {played} of {steps}
        </span>
        {!isOver && !isAsking && (
          <Button size="small" icon={isPlaying ? <Pause /> : <CirclePlay />} onClick={player.toggle}>
            {isPlaying ? "Pause" : "Play"}
          </Button>
        )}
        {!isOver && (
          <Button size="small" icon={<StepForward />} onClick={player.forward}>
            Next step
          </Button>
        )}
        <Button size="small" icon={<RotateCcw />} onClick={player.restart}>
          Start over
        </Button>
        <Button size="small" tone="quiet" onClick={onClose}>
          Close the recording
        </Button>
      </div>
    </section>
  )
}

type RecordedCardProps = {
  readonly approval: ApprovalView
  readonly current: CurrentContentView | null
  readonly verdict: GivenVerdict["kind"] | undefined
  readonly onVerdict: (approval: ApprovalView, kind: GivenVerdict["kind"]) => void
}

function RecordedCard({ approval, current, verdict, onVerdict }: RecordedCardProps): ReactNode {
  const actions: CardActions = { ...nothingElse, onVerdict: (call, { kind }) => onVerdict(call, kind) }
  return (
    <ApprovalCard
      approval={approval}
      server={null}
      session={null}
      pin={null}
      current={current}
      alsoWaiting={[]}
      verdict={verdict === undefined ? { state: "none" } : { state: "sending", kind: verdict }}
      actions={actions}
      isFresh={false}
    />
  )
}

const nothing = (): void => undefined
const nothingElse: Omit<CardActions, "onVerdict"> = {
  onTakeBack: nothing,
  onExtend: nothing,
  onRevoke: nothing,
  onRunNow: nothing,
  onRerun: nothing,
  loadUndo: async () => ({ kind: "unavailable", why: "This is a recording." }),
  onPutBack: async () => false,
  onAccept: nothing,
}
