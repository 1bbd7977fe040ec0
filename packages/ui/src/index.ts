export { ApprovalCard } from "./card/approval-card.tsx"
export type { RowAnswer } from "./card/approval-row.tsx"
export { ApprovalRow } from "./card/approval-row.tsx"
export { ExactJson } from "./card/arguments/exact-json.tsx"
export { FoldsContext, useFolds } from "./card/arguments/folds.ts"
export { MaskedJson } from "./card/arguments/masked-json.tsx"
export { Sentence } from "./card/arguments/shown-value.tsx"
export { CardNameContext } from "./card/card-name.ts"
export { DiffView } from "./card/changes/diff-view.tsx"
export { PastChanges } from "./card/changes/past-changes.tsx"
export { calledText } from "./card/head/ask-words.ts"
export { DefinitionWarnings } from "./card/head/definition-warnings.tsx"
export { statusWords } from "./card/head/status-words.ts"
export { type OfferState, RuleOffer } from "./card/rule-offer.tsx"
export { DiffTools } from "./diff/diff-tools.tsx"
export { useChangeSteps } from "./diff/use-change-steps.ts"
export { Button } from "./parts/button.tsx"
export { CopyButton } from "./parts/copy-button.tsx"
export { Dialog, type DialogProps } from "./parts/dialog.tsx"
export { Exact, Fact, Facts, Soft } from "./parts/facts.tsx"
export { Choice, LongField, TextField, Tick } from "./parts/field.tsx"
export { Mark, Stamp, type Tone } from "./parts/mark.tsx"
export { Menu, type MenuItem } from "./parts/menu.tsx"
export { Empty, Loading, Notice, Page, Sheet } from "./parts/page.tsx"
export type { PaletteGroup, PaletteItem } from "./parts/palette.tsx"
export { Quoted } from "./parts/quoted.tsx"
export { ShownName, ShownText } from "./parts/shown-text.tsx"
export { TheirName, TheirWords } from "./parts/their-words.tsx"
export { Ago, Left, useNow } from "./parts/time.tsx"
export { BarPlot } from "./plots/bar-plot.tsx"
export { foldBars, type TimeBar } from "./plots/fold-bars.ts"
export { Plot } from "./plots/plot.tsx"
export { PlotTable } from "./plots/plot-table.tsx"
export { RowPlot } from "./plots/row-plot.tsx"
export { type Series, totalOf } from "./plots/series.ts"
export { spanInWords, tickOf } from "./plots/span-words.ts"
export type { ChangeCounts } from "./review/change-counts.ts"
export { type ChangeTreeNode, changeTree, filesIn } from "./review/change-tree.ts"
export { ChangeTreeView, type ReviewedFile } from "./review/change-tree-view.tsx"
export type { FileComment } from "./review/comment-reason.ts"
export { ReviewPanel } from "./review/review-panel.tsx"
export {
  type ReviewAnswer,
  type ReviewCall,
  type ReviewSummary,
  readCall,
  reviewSummary,
} from "./review/review-state.ts"
export { SendDialog, sendWords } from "./review/send-dialog.tsx"
export { changedPath } from "./review/shown-changes.ts"
export { InSteps } from "./run/in-steps.tsx"
export { applyRunEvent, type LiveLeg } from "./run/live-leg.ts"
export { RunMark } from "./run/run-mark.tsx"
export { RunStory } from "./run/run-story.tsx"
export { runStateOf, runStateWords, stepsInWords, tokensInWords, usageInWords } from "./run/run-words.ts"
export { storyTurns } from "./run/story-turns.ts"
export { BatchBar, type BatchBarProps, type BatchChoice } from "./verdict/batch/batch-bar.tsx"
export { BatchDialog, type BatchVerdict } from "./verdict/batch/batch-dialog.tsx"
export { tellingArgument } from "./verdict/batch/batch-outcome.ts"
export type { LoadPreview } from "./verdict/edit/edit-previewer.ts"
export { RememberDialog } from "./verdict/remember/remember-dialog.tsx"
export { rememberSettled } from "./verdict/remember/remember-settled.ts"
export type {
  CardActions,
  CheckArguments,
  GivenVerdict,
  LoadCalls,
  LoadCheck,
  LoadCurrent,
  VerdictState,
} from "./verdict/verdict.ts"
export { quotedWords } from "./words/quoted-words.ts"
export { rowText } from "./words/row-text.ts"
export { boundInWords, exactTime, lengthInWords, tookInWords, waitInWords } from "./words/time-words.ts"
