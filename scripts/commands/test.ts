import { ensureBrowser } from '../lib/browser.ts'
import { staticSteps } from '../lib/static-steps.ts'
import { runHere, runSteps } from '../lib/steps.ts'
import { runPlaywright, runVitest, type TestCounts, vitestStep } from '../lib/test-steps.ts'
import { ensureWebBuilt } from '../web/ensure-built.ts'

// Runs all tests and checks that must succeed before a merge. A stage starts only if the one before it has succeeded.
// The output of a step is printed only if it fails.
const STAGES: Array<() => Promise<TestCounts>> = [
  () => alone('browser', ensureBrowser),
  () => alone('web build', ensureWebBuilt),
  async () => countSteps(await runSteps(staticSteps())),
  () => runVitest(vitestStep('tests', ['unit', 'tools', 'components', 'integration'])),
  () => runPlaywright(),
]

const total: TestCounts = { passed: 0, failed: 0 }
for (const runStage of STAGES) {
  const { passed, failed } = await runStage()
  total.passed += passed
  total.failed += failed
  if (failed > 0) break
}
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
// Other programs read this line, so it must be the last one.
console.log(`${total.passed} passed, ${total.failed} failed`)

async function alone(name: string, work: () => Promise<void>): Promise<TestCounts> {
  try {
    await runHere(name, work)
    return { passed: 0, failed: 0 }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return { passed: 0, failed: 1 }
  }
}

function countSteps(results: ReadonlyArray<{ isOk: boolean }>): TestCounts {
  return { passed: 0, failed: results.filter(({ isOk }) => !isOk).length }
}
