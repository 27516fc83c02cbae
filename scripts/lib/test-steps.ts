import { readFileSync, rmSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import { inProject } from '../boot/project.mjs'
import { runStep, type Step, tool } from './steps.ts'

/**
 * The result of a test run. If the run fails although no test has failed, for example after a crash, one failed test is
 * counted.
 */
export interface TestCounts {
  passed: number
  failed: number
}

const VITEST = tool('vitest', 'vitest.mjs')
const VITEST_REPORT = inProject('.cache', 'tests', 'vitest.json')
const PLAYWRIGHT_REPORT = inProject('.cache', 'tests', 'playwright.json')

/** Returns the step that runs Vitest. `projects` are names of projects in vitest.config.ts. */
export function vitestStep(
  name: string,
  projects: readonly string[],
  env: Record<string, string> = {},
): Step {
  const selected = projects.flatMap((project) => ['--project', project])
  const reports = ['--reporter=default', '--reporter=json', `--outputFile.json=${VITEST_REPORT}`]
  return { name, script: VITEST, args: ['run', ...selected, ...reports], env }
}

export async function runVitest(step: Step): Promise<TestCounts> {
  rmSync(VITEST_REPORT, { force: true })
  const { isOk } = await runStep(step)
  return countOrOneFailure(isOk, () => countVitest(readFileSync(VITEST_REPORT, 'utf8')))
}

/**
 * Runs Playwright and returns the counts. `env` contains additional variables. The path of the JSON report is set by a
 * variable, because the command line can only name the reporters.
 */
export async function runPlaywright(env: Record<string, string> = {}): Promise<TestCounts> {
  rmSync(PLAYWRIGHT_REPORT, { force: true })
  const { isOk } = await runStep({
    name: 'browser tests',
    script: tool('@playwright', 'test', 'cli.js'),
    args: ['test', '--reporter=line,json'],
    env: { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: PLAYWRIGHT_REPORT },
  })
  return countOrOneFailure(isOk, () => {
    const json = readFileSync(PLAYWRIGHT_REPORT, 'utf8')
    // Repeat the messages at the end. Where they were printed first, hundreds of lines follow them.
    for (const failure of listPlaywrightFailures(json)) console.error(`\n${failure}`)
    return countPlaywright(json)
  })
}

export function countVitest(json: string): TestCounts {
  const report = JSON.parse(json) as Record<
    'numPassedTests' | 'numFailedTests' | 'numPendingTests' | 'numTodoTests',
    number
  >
  return withSkipped(
    report.numPassedTests,
    report.numFailedTests,
    report.numPendingTests + report.numTodoTests,
  )
}

export function countPlaywright(json: string): TestCounts {
  const { stats } = JSON.parse(json) as { stats: Record<'expected' | 'unexpected' | 'skipped', number> }
  return withSkipped(stats.expected, stats.unexpected, stats.skipped)
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs: Array<{
    file: string
    line: number
    title: string
    tests: Array<{ projectName: string; results: Array<{ errors: Array<{ message?: string }> }> }>
  }>
}

/** Returns a text for each failed test: project, file, line, title, and the messages of its errors. */
export function listPlaywrightFailures(json: string): string[] {
  const { suites = [] } = JSON.parse(json) as { suites?: PlaywrightSuite[] }
  return suites.flatMap(listFailures)
}

const listFailures = ({ suites = [], specs }: PlaywrightSuite): string[] => [
  ...specs.flatMap(({ file, line, title, tests }) =>
    tests.flatMap(({ projectName, results }) => {
      const messages = results.flatMap(({ errors }) =>
        errors.map(({ message = '' }) => stripVTControlCharacters(message)),
      )
      return messages.length === 0
        ? []
        : [[`[${projectName}] ${file}:${line} ${title}`, ...messages].join('\n')]
    }),
  ),
  ...suites.flatMap(listFailures),
]

/** Returns the counts. Skipped tests count as failed, because they check nothing. */
function withSkipped(passed: number, failed: number, skipped: number): TestCounts {
  if (skipped > 0) console.error(`${skipped} skipped: tests must not be skipped, so they count as failed`)
  return { passed, failed: failed + skipped }
}

function countOrOneFailure(isOk: boolean, count: () => TestCounts): TestCounts {
  const counts = readCounts(count)
  return isOk || counts.failed > 0 ? counts : { ...counts, failed: 1 }
}

/** Returns the counts from a report. If there is no report, because the test runner crashed, counts one failed test. */
function readCounts(count: () => TestCounts): TestCounts {
  try {
    return count()
  } catch (error) {
    console.error(`No report of the tests: ${String(error)}`)
    return { passed: 0, failed: 1 }
  }
}
