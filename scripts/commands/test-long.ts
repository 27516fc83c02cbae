import { runVitest, vitestStep } from '../lib/test-steps.ts'

// Runs before a release: the tests that measure time or run for minutes (*.long.test.ts), and every other test with
// its full number of cases, which tests read from these variables.
const FULL_SIZE = { PEGASUS_LONG: '1', FUZZ_RUNS: process.env.FUZZ_RUNS ?? '1000000' }

const { passed, failed } = await runVitest(
  vitestStep('long tests', ['unit', 'integration', 'long'], FULL_SIZE),
)
process.exitCode = failed > 0 ? 1 : 0
console.log(`${passed} passed, ${failed} failed`)
