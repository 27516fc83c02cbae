import { ensureBrowser } from '../lib/browser.ts'
import { runHere } from '../lib/steps.ts'
import { runPlaywright, runVitest, vitestStep } from '../lib/test-steps.ts'

// Run this before a release. It runs the tests that measure time or take minutes (*.long.test.ts). It also runs all
// other tests with their full number of cases, which the variables below set, and the browser tests at both widths.
const FULL_SIZE = { PEGASUS_LONG: '1', FUZZ_RUNS: process.env.FUZZ_RUNS ?? '1000000' }

await runHere('browser', ensureBrowser)
const tests = await runVitest(vitestStep('long tests', ['unit', 'tools', 'integration', 'long'], FULL_SIZE))
const browserTests = await runPlaywright(FULL_SIZE)
const passed = tests.passed + browserTests.passed
const failed = tests.failed + browserTests.failed
process.exitCode = failed > 0 ? 1 : 0
console.log(`${passed} passed, ${failed} failed`)
