import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { inProject, ROOT } from '../boot/project.mjs'
import { cleanEnvironment } from './environment.ts'

/**
 * A step of a check: a tool that runs in its own process. Its output is shown only if the step fails.
 */
export interface Step {
  name: string
  /** The script that Node runs, and its arguments. */
  script: string
  args?: string[]
  env?: Record<string, string>
}

export interface StepResult {
  name: string
  isOk: boolean
  output: string
}

/** Set after the first Ctrl-C. Running steps are stopped and count as failed, and no further steps start. */
let isInterrupted = false

/** Returns the path of a tool's script in node_modules. */
export const tool = (...path: string[]) => inProject('node_modules', ...path)

/** Runs the steps in parallel, one per processor. Reports each step when it ends. */
export async function runSteps(steps: readonly Step[]): Promise<StepResult[]> {
  const waiting = [...steps]
  const results: StepResult[] = []
  const runWaiting = async () => {
    for (let step = waiting.shift(); step && !isInterrupted; step = waiting.shift()) {
      results.push(await runStep(step))
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, runWaiting))
  return results
}

export async function runStep(step: Step): Promise<StepResult> {
  const startedAt = performance.now()
  const { code, output } = await run(step)
  const result = { name: step.name, isOk: code === 0, output }
  report(result, performance.now() - startedAt)
  return result
}

/** Runs a function in this process, and reports it like a step. */
export async function runHere<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  try {
    const value = await work()
    report({ name, isOk: true, output: '' }, performance.now() - startedAt)
    return value
  } catch (error) {
    report({ name, isOk: false, output: '' }, performance.now() - startedAt)
    throw error
  }
}

function report({ name, isOk, output }: StepResult, durationMs: number): void {
  console.log(`${isOk ? '✓' : '✗'} ${name.padEnd(18)} ${(durationMs / 1000).toFixed(1)} s`)
  if (!isOk && output.trim()) console.log(`\n${output.trim()}\n`)
}

async function run({ script, args = [], env = {} }: Step): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: ROOT,
    env: cleanEnvironment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const stopForwarding = forwardSignals(child)
  const chunks: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => chunks.push(text))
  }
  const code = await new Promise<number>((resolve, reject) => {
    child.on('error', reject).on('close', (exitCode) => resolve(exitCode ?? 1))
  })
  stopForwarding()
  return { code, output: chunks.join('') }
}

/**
 * Ends a tool when this process ends. Otherwise the tool would continue with its database and its browser. Sends
 * SIGINT, because both test runners clean up only after that. Does not send it after Ctrl-C in a terminal, which has
 * already sent one: after a second SIGINT, they would end without cleaning up.
 */
function forwardSignals(child: ChildProcess): () => void {
  const onTerminate = () => {
    isInterrupted = true
    child.kill('SIGINT')
  }
  const onInterrupt = () => {
    isInterrupted = true
    if (!process.stdin.isTTY) child.kill('SIGINT')
  }
  process.on('SIGTERM', onTerminate).on('SIGINT', onInterrupt)
  return () => process.off('SIGTERM', onTerminate).off('SIGINT', onInterrupt)
}
