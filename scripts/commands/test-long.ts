import { runVitest, vitestStep } from '../lib/test-steps.ts'

// Run this before a release. It runs the tests that measure time or take minutes (*.long.test.ts), and all
// other tests with their full number of cases, which they read from the variables below.
const FULL_SIZE = { PEGASUS_LONG: '1', FUZZ_RUNS: process.env.FUZZ_RUNS ?? '1000000' }

const { passed, failed } = await runVitest(
  vitestStep('long tests', ['unit', 'tools', 'integration', 'long'], FULL_SIZE),
)
process.exitCode = failed > 0 ? 1 : 0
console.log(`${passed} passed, ${failed} failed`)
