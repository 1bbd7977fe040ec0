/**
 * `npm run agents -- --rules [CLIENT…]`: Byleave's rules in the languages of real programs, and theirs in Byleave's, judged by the programs
 * themselves: a scripted model calls every tool of recording servers, and what reached a server is compared with Byleave's decision. Without a
 * terminal, what a program would ask about is refused.
 */
import { type AgentClient, clients } from "../test/agents/clients.ts"
import { exportTrial, importTrials, judgeTrial, type RuleTrial } from "../test/agents/rules/judge-rules.ts"
import { policyCases } from "../test/agents/rules/rule-cases.ts"
import { type RuleProgram, rulePrograms } from "../test/agents/rules/rule-programs.ts"
import { type RulesRun, runRules } from "../test/agents/rules/run-rules.ts"
import { textCases } from "../test/agents/rules/texts.ts"
import { installOnDemand } from "./install-on-demand.ts"

type Row = { readonly client: AgentClient; readonly trials: number; readonly wrong: number; readonly told: number }

/** Runs every trial of these clients; resolves to whether all of them are as they should be. */
export async function runRuleTrials(wanted: readonly string[], stop: AbortSignal): Promise<boolean> {
  const rows: Row[] = []
  for (const [name, how] of Object.entries(rulePrograms)) {
    const client = clients[name]
    if (client === undefined || stop.aborted || (wanted.length > 0 && !wanted.includes(name))) continue
    rows.push(await runClientTrials(client, how, trialsOf(name, how), stop))
  }
  const lines = rows.map(({ client, trials, wrong, told }) => {
    return `| ${client.section} | ${client.version} | ${trials} | ${wrong} | ${told} |`
  })
  const head = "| client | version | sets of rules | with a difference | with a difference that the loss report names |"
  console.log(`\n${[head, "|---|---|---|---|---|", ...lines].join("\n")}`)
  return rows.every(({ wrong }) => wrong === 0)
}

function trialsOf(name: string, { language }: RuleProgram): readonly RuleTrial[] {
  const exports = policyCases.map((each) => exportTrial(language, each))
  return [...exports, ...(textCases[name] ?? []).flatMap((each) => importTrials(language, each))]
}

async function runClientTrials(
  client: AgentClient,
  how: RuleProgram,
  trials: readonly RuleTrial[],
  stop: AbortSignal,
): Promise<Row> {
  const program = installOnDemand(client.program)
  // One text may be read in several ways; the program is run once for it.
  const runs = new Map<string, RulesRun>()
  let wrong = 0
  let toldOnes = 0
  for (const trial of trials) {
    const run = runs.get(trial.text) ?? (await runRules({ client, program, how, rules: trial.text, stop }))
    runs.set(trial.text, run)
    const { problems, told } = judgeTrial(trial, run)
    console.log(
      `${client.section}, ${trial.direction}, ${trial.name}: ${problems.length} differences, ${told.length} told`,
    )
    for (const problem of problems) console.log(`  PROBLEM   ${problem}`)
    for (const each of told) console.log(`  told      ${each}`)
    if (problems.length > 0) console.log(`${trial.text}\n${run.output.slice(-600)}`)
    wrong += problems.length > 0 ? 1 : 0
    toldOnes += told.length > 0 ? 1 : 0
  }
  return { client, trials: trials.length, wrong, told: toldOnes }
}
